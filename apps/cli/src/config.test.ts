import { expect, test } from "vitest";
import { readEnvironment } from "./config.ts";
import { terminalFacts } from "./terminal/terminal-facts.ts";

const read = (variables: Record<string, string>, platform: NodeJS.Platform = "linux") =>
  readEnvironment({ HOME: "/home/me", ...variables }, platform);

test("the home folder is ~/.codehands unless CODEHANDS_HOME says otherwise, also for a daemon", () => {
  expect(read({}).home).toBe("/home/me/.codehands");
  expect(read({ CODEHANDS_HOME: "/data/hands/" })).toMatchObject({
    home: "/data/hands",
    forDaemon: { CODEHANDS_HOME: "/data/hands" },
  });
});

test("an agent that calls gets JSON, but not in CI", () => {
  expect(read({}).callerIsAgent).toBe(false);
  expect(read({ CLAUDECODE: "1" }).callerIsAgent).toBe(true);
  expect(read({ CODEX_CLI: "1" }).callerIsAgent).toBe(true);
  expect(read({ CLAUDECODE: "0" }).callerIsAgent).toBe(false);
  expect(read({ CLAUDECODE: "1", CI: "true" }).callerIsAgent).toBe(false);
});

test("a daemon is never started with the marks of an agent's run, which would end it with the run", () => {
  const { runId, forDaemon } = read({ CODEHANDS_RUN_ID: "r1", CLAUDECODE: "1", PATH: "/bin" });
  expect(runId).toBe("r1");
  expect(forDaemon).toEqual({ HOME: "/home/me", PATH: "/bin", CODEHANDS_HOME: "/home/me/.codehands" });
});

test("icons are ASCII unless the locale names UTF-8", () => {
  expect(read({}).utf8).toBe(false);
  expect(read({}, "darwin").utf8).toBe(true);
  expect(read({ LANG: "C.UTF-8" }).utf8).toBe(true);
  expect(read({ LANG: "en_US.UTF-8", LC_ALL: "C" }).utf8).toBe(false);
});

test("colours: on a terminal, not with NO_COLOR or TERM=dumb, always with FORCE_COLOR", () => {
  const colour = (variables: Record<string, string>, isTTY: boolean) =>
    terminalFacts({ isTTY }, read(variables)).colour;
  expect(colour({ TERM: "xterm" }, true)).toBe(true);
  expect(colour({ TERM: "xterm" }, false)).toBe(false);
  expect(colour({ TERM: "dumb" }, true)).toBe(false);
  expect(colour({ NO_COLOR: "1" }, true)).toBe(false);
  expect(colour({ FORCE_COLOR: "1" }, false)).toBe(true);
  expect(colour({ FORCE_COLOR: "0" }, true)).toBe(false);
});

test("nothing is cut in a pipe", () => {
  expect(terminalFacts({ columns: 80 }, read({})).width).toBeNull();
  expect(terminalFacts({ isTTY: true, columns: 120 }, read({})).width).toBe(120);
  expect(terminalFacts({ isTTY: true }, read({})).width).toBe(80);
  expect(terminalFacts({ isTTY: true, columns: 0 }, read({})).width).toBe(80);
});
