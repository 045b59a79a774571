import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readDaemonConfig } from "./config.ts";
import { openCrashPoint } from "./crash-point.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codehands-config-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (more: Record<string, string> = {}) => readDaemonConfig({ CODEHANDS_HOME: home, ...more });

it("takes home, programs and file", () => {
  writeFileSync(join(home, "config.json"), '\uFEFF{"port": 8123, "sandbox": "auto", "commands": {"from": "none"}}');
  const given = read({ CODEHANDS_AGENT_COMMAND_CLAUDE_CODE: '["/opt/claude","--x"]' });
  expect(given).toMatchObject({
    ok: true,
    config: {
      paths: { home, lock: `${home}/daemon.lock` },
      file: { port: 8123 },
      agentCommands: { "claude-code": ["/opt/claude", "--x"] },
    },
  });
  expect(readDaemonConfig({ HOME: "/home/x" })).toMatchObject({
    ok: true,
    config: { paths: { home: "/home/x/.codehands" } },
  });
});

it("names everything that is wrong at once", () => {
  writeFileSync(
    join(home, "config.json"),
    '{"port": 0, "budgetUSD": 3, "trash": {"days": "x", "hours": 1}, "agents": {"gpt": {}}, "sandbox": "require"}',
  );
  const given = read({ CODEHANDS_AGENT_COMMAND_CODEX: "codex", CODEHANDS_CRASH: "x", CODEHANDS_TEST: "1" });
  const text = given.ok ? "" : given.problems.join("\n");
  for (const part of [
    /port must be 1 at least/,
    /budgetUSD is not a known key/,
    /trash\.days must be a whole number/,
    /trash\.hours is not a known key/,
    /agents\.gpt is not a known key/,
    /sandbox must be off or auto/,
    /CODEHANDS_AGENT_COMMAND_CODEX must be a JSON list/,
    /CODEHANDS_CRASH must read/,
  ])
    expect(text).toMatch(part);
  expect(readDaemonConfig({ CODEHANDS_HOME: "here" })).toMatchObject({
    ok: false,
    problems: [expect.stringContaining("absolute path")],
  });
});

it("crash points exist in tests only", () => {
  const order = { CODEHANDS_CRASH: "approve.after-write-tree:2" };
  const crashOf = (more: Record<string, string>) => {
    const given = read(more);
    return given.ok ? given.config.crash : undefined;
  };
  expect(crashOf(order)).toBeNull();
  expect(crashOf({ ...order, CODEHANDS_TEST: "0" })).toBeNull();
  expect(crashOf({ ...order, CODEHANDS_TEST: "1" })).toEqual({ name: "approve.after-write-tree", nth: 2 });
});

it("a crash point kills at the ordered visit of its name", async () => {
  let kills = 0;
  const kill = () => {
    kills += 1;
  };
  const point = openCrashPoint({ name: "a", nth: 2 }, { kill });
  for (const name of ["a", "b", "b"]) await point(name);
  expect(kills).toBe(0);
  await point("a");
  await point("a");
  expect(kills).toBe(1);
});
