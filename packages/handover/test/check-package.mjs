#!/usr/bin/env node
/**
 * What the built package does by itself, as a plain program that any Node from 18 on can run: the vectors, random orders
 * of keys, values of 100,000 levels, every adapter over the recordings in both forms.
 *
 *   node test/check-package.mjs dist/index.js
 */
import assert from "node:assert/strict";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const handover = await import(pathToFileURL(process.argv[2]).href);
const fixtures = new URL("../conformance/fixtures/", import.meta.url);
const recordings = new URL("fixtures/recordings/", import.meta.url);
const vectors = readdirSync(fixtures).filter((name) => /^v\d\d-/.test(name) && !name.includes("changed"));
assert.equal(vectors.length, 11);

let checks = 0;
for (const name of vectors) {
  const packet = handover.loadPacket(new URL(name, fixtures).pathname);
  assert.equal(handover.computeId(packet), packet.id, name);
  assert.deepEqual(handover.validatePacket(packet), { valid: true, errors: [] });
  for (let round = 0; round < 100; round++) {
    const other = JSON.parse(JSON.stringify(shuffled(packet), null, round % 5));
    assert.equal(handover.computeId(other), packet.id);
    checks += 1;
  }
  const changed = handover.validatePacket({ ...packet, goal: `${packet.goal}.` });
  assert.deepEqual(
    changed.errors.map(({ code }) => code),
    ["ID_MISMATCH"],
  );
}

const example = handover.loadPacket(new URL("v01-example.json", fixtures).pathname);
const revised = handover.revise(example, {
  created: "2026-07-12T09:00:00Z",
  progress: ["handled callback"],
  next_steps: ["ship"],
  state: { cursor: "src/auth/callback.ts:10" },
  agent: "codex",
});
assert.equal(revised.id, "27320d1e83f3637bf4c0c54a32fef9aba42def56120554116fdd2ef8d89998f7");
assert.equal(
  handover.advance(example, { created: "2026-07-12T09:00:00Z", done: ["add tests for the verifier"] }).next_steps
    .length,
  1,
);

let deep = {};
for (let level = 0; level < 100_000; level++) deep = { deep };
for (const value of [deep, { ...example, state: deep }, { ...example, progress: deep }]) {
  assert.equal(handover.validatePacket(value).valid, false);
  assert.equal(typeof handover.resume(value), "string");
  assert.equal(handover.completeness(value).total, 7);
  checks += 1;
}
assert.equal(handover.completeness({ ...example, progress: ["x".repeat(1024 * 1024)] }).score, 1);

for (const name of readdirSync(recordings)) {
  const adapter = handover.getAdapter(/^(claude|codex|codehands)-/.exec(name)[1].replace("claude", "claude-code"));
  const whole = adapter(readFileSync(new URL(name, recordings), "utf8"));
  const lines = await adapter.lines(handover.linesOf(createReadStream(new URL(name, recordings))));
  assert.deepEqual(lines, whole, name);
  checks += 1;
}
process.stdout.write(`${checks} checks passed under Node ${process.versions.node}\n`);

function shuffled(value) {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map((entry) => ({ entry, rank: Math.random() }));
  entries.sort((a, b) => a.rank - b.rank);
  return Object.fromEntries(entries.map(({ entry: [key, member] }) => [key, shuffled(member)]));
}
