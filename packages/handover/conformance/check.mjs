#!/usr/bin/env node
/**
 * Holds an implementation of handover packets, in whichever language, to the documents of this folder. It runs the
 * implementation's command line once for each case and compares exit codes and answers.
 *
 *   node check.mjs [--strict] [--only ID] COMMAND [ARGUMENT…]      for example: node check.mjs python3 -m handover
 *
 * `--strict` adds what the format leaves open and we hold for right. Needs Node 18 and nothing else. Run it
 * where HANDOVER_AGENT and HANDOVER_PACKET are not set.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FIXTURES = fileURLToPath(new URL("fixtures/", import.meta.url));

/** The cases of the manifest. */
export function readCases() {
  return JSON.parse(readFileSync(new URL("manifest.json", import.meta.url), "utf8")).cases;
}

/**
 * Runs the cases against `run(words, {cwd, stdin})`, which answers `{exit, stdout, stderr}`, and returns
 * `{id, rule, problems}` of each.
 */
export async function runCases(run, { strict = false, only = null } = {}) {
  const tmp = mkdtempSync(join(tmpdir(), "handover-conformance-"));
  try {
    const results = [];
    for (const one of readCases()) {
      if ((one.strict && !strict) || (only !== null && one.id !== only)) continue;
      for (const [name, what] of Object.entries(one.make ?? {})) writeFileSync(join(tmp, name), made(what));
      results.push({ id: one.id, rule: one.rule, problems: await problemsOf(one, { run, tmp }) });
    }
    return results;
  } finally {
    rmSync(tmp, { recursive: true, force: true });
  }
}

async function problemsOf(one, { run, tmp }) {
  const answer = await call(one, one.words, { run, tmp });
  const problems = [];
  if (answer.exit !== one.exit)
    problems.push(`exit ${answer.exit}, not ${one.exit}: ${answer.stderr.slice(0, 300).trim()}`);
  const value = one.json || one.errors || one.absent ? parse(answer.stdout, problems) : null;
  if (one.json) problems.push(...differences(one.json, value, ""));
  if (one.errors) problems.push(...errorProblems(one.errors, value));
  for (const key of one.absent ?? []) if (value !== null && key in value) problems.push(`has ${key}`);
  for (const text of one.contains ?? [])
    if (!answer.stdout.includes(text)) problems.push(`does not say ${JSON.stringify(text)}`);
  for (const text of one.lacks ?? []) if (answer.stdout.includes(text)) problems.push(`says ${JSON.stringify(text)}`);
  if (one.sameStructureAs) {
    const other = await call(one, one.sameStructureAs, { run, tmp });
    problems.push(...differences(structureOf(other.stdout), structureOf(answer.stdout), "structure"));
  }
  if (one.then) {
    const next = await call(one, one.then.words, { run, tmp });
    if (next.exit !== one.then.exit)
      problems.push(`then exit ${next.exit}, not ${one.then.exit}: ${next.stderr.slice(0, 300)}`);
    if (one.then.json) problems.push(...differences(one.then.json, parse(next.stdout, problems), "then"));
  }
  return problems;
}

function call(one, words, { run, tmp }) {
  const filled = words.map((word) => word.replace("{tmp}", tmp));
  const stdin = one.stdin === undefined ? "" : typeof one.stdin === "string" ? one.stdin : JSON.stringify(one.stdin);
  return run(filled, { cwd: FIXTURES, stdin });
}

/** `{nest: n}`: a packet whose state nests n arrays. `{repeat: [text, n]}`: one whose context is that long. */
function made(what) {
  const provenance = { handed_off_by: "a", created: "2026-07-11T12:00:00Z" };
  if (what.repeat) return JSON.stringify({ goal: "g", context: what.repeat[0].repeat(what.repeat[1]), provenance });
  const deep = `${"[".repeat(what.nest)}${"]".repeat(what.nest)}`;
  return `{"goal":"g","state":{"deep":${deep}},"provenance":${JSON.stringify(provenance)}}`;
}

function parse(text, problems) {
  try {
    return JSON.parse(text);
  } catch {
    problems.push(`stdout is not JSON: ${JSON.stringify(text.slice(0, 200))}`);
    return null;
  }
}

/** What of `expected` is not so in `actual`. An object may have more keys than are expected, a list may not be longer. */
function differences(expected, actual, path) {
  if (typeof expected !== "object" || expected === null)
    return Object.is(expected, actual) ? [] : [`${path || "answer"} is ${short(actual)}, not ${short(expected)}`];
  if (typeof actual !== "object" || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return [`${path || "answer"} is ${short(actual)}, not ${short(expected)}`];
  if (Array.isArray(expected) && expected.length !== actual.length)
    return [`${path || "answer"} is ${short(actual)}, not ${short(expected)}`];
  return Object.keys(expected).flatMap((key) =>
    differences(expected[key], actual[key], path === "" ? key : `${path}.${key}`),
  );
}

const short = (value) => (JSON.stringify(value) ?? "absent").slice(0, 300);

/** Violations are compared by path and code; their order and their words are free. */
function errorProblems(expected, value) {
  const found = (Array.isArray(value?.errors) ? value.errors : []).map((error) => `${error.path} ${error.code}`).sort();
  const wanted = expected.map(([path, code]) => `${path} ${code}`).sort();
  return differences(wanted, found, "errors");
}

/** The headings of a Markdown text outside of fenced code, and whether a fence stays open. */
function structureOf(markdown) {
  const found = [];
  let fence = null;
  for (const line of markdown.split(/\r\n|[\n\r]/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) fence = mark?.startsWith(fence) ? null : fence;
    else if (mark !== undefined) fence = mark;
    else if (/^ {0,3}##?(?:[ \t]|$)/.test(line)) found.push(line.trim());
  }
  return fence === null ? found : [...found, "a fence that stays open"];
}

function spawnRun(command) {
  return (words, { cwd, stdin }) => {
    const [program, ...args] = command;
    const done = spawnSync(program, [...args, ...words], {
      cwd,
      input: stdin,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    return {
      exit: done.status ?? -1,
      stdout: done.stdout ?? "",
      stderr: (done.stderr ?? "") + (done.error?.message ?? ""),
    };
  };
}

async function main(words) {
  const strict = words.includes("--strict");
  const at = words.indexOf("--only");
  const only = at === -1 ? null : (words[at + 1] ?? "");
  const skip = new Set(at === -1 ? [] : [at, at + 1]);
  const first = words.findIndex((word, index) => !skip.has(index) && word !== "--strict" && word !== "--");
  if (first === -1) {
    process.stderr.write("Usage: node check.mjs [--strict] [--only ID] COMMAND [ARGUMENT…]\n");
    return 2;
  }
  const results = await runCases(spawnRun(words.slice(first)), { strict, only });
  const failed = results.filter(({ problems }) => problems.length > 0);
  for (const { id, rule, problems } of failed)
    process.stdout.write(`not ok ${id} (${rule})\n  ${problems.join("\n  ")}\n`);
  process.stdout.write(`${results.length - failed.length} passed, ${failed.length} failed\n`);
  return failed.length === 0 && results.length > 0 ? 0 : 1;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
}
