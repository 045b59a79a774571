#!/usr/bin/env node
/**
 * Reads a session with an adapter of the built package and prints the most memory that it took above that of an empty
 * session, in bytes, and what came out.
 *
 *   node --expose-gc test/measure-adapter.mjs DIST HARNESS FILE lines|text
 */
import { createReadStream, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , dist, harness, path, form] = process.argv;
const { getAdapter, linesOf } = await import(pathToFileURL(dist).href);
const adapter = getAdapter(harness);
adapter("");
globalThis.gc();

const held = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let most = 0;
if (form === "lines") {
  const base = held();
  // What is alive when a line comes and when it was taken; what is garbage by then is not held by anybody.
  const watch = async function* (lines) {
    let count = 0;
    for await (const line of lines) {
      const large = line.length > 1_000_000;
      if (large || count++ % 200 === 0) look(base);
      yield line;
      if (large) look(base);
    }
  };
  const draft = await adapter.lines(watch(linesOf(createReadStream(path))));
  look(base);
  print(draft);
} else {
  const raw = readFileSync(path, "latin1");
  globalThis.gc();
  const base = held();
  const draft = adapter(raw);
  look(base);
  print(draft, raw.length);
}

function look(base) {
  globalThis.gc();
  most = Math.max(most, held() - base);
}

function print(draft, length = 0) {
  process.stdout.write(`${JSON.stringify({ most, length, goal: draft.goal, last: draft.progress.at(-1) })}\n`);
}
