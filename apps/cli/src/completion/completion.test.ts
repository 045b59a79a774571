import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { ALL_COMMANDS } from "../program/all-commands.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { optionsOf } from "./words-of.ts";
import { zshCompletion } from "./zsh.ts";

const has = (shell: string): boolean => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** What bash offers after these words. `codehands` itself is a function that knows one session. */
function bashOffers(...words: string[]): string[] {
  const script = `${bashCompletion(ALL_COMMANDS)}
codehands() { echo 3f0f3e1e-5a1c-4d1e-9b1a-0c1d2e3f4a5b; }
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _codehands; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const text = execFileSync("bash", ["--norc", "-c", script, "bash", "codehands", ...words], { encoding: "utf8" });
  return text.split("\n").filter(Boolean);
}

describe("bash", () => {
  test("the script is bash", () => {
    expect(spawnSync("bash", ["-n"], { input: bashCompletion(ALL_COMMANDS), encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  test("first words", () => {
    const offers = bashOffers("");
    expect(offers).toEqual(expect.arrayContaining(["run", "ls", "daemon", "config", "help"]));
    expect(new Set(offers).size).toBe(offers.length);
    expect(bashOffers("da")).toEqual(["daemon"]);
  });

  test("second words of a group", () => {
    expect(bashOffers("daemon", "")).toEqual(["start", "stop", "restart", "status", "logs"]);
    expect(bashOffers("repos", "un")).toEqual(["untrust"]);
    expect(bashOffers("devices", "")).toEqual(["ls", "rename", "revoke", "verify"]);
    expect(bashOffers("sync", "identity", "t")).toEqual(["this"]);
  });

  test("a command that has another one below it offers both its options and that one", () => {
    expect(bashOffers("pair", "ap")).toEqual(["approve"]);
    expect(bashOffers("pair", "--s")).toEqual(["--server"]);
    expect(bashOffers("pair", "approve", "--r")).toEqual(["--roles", "--repo"]);
    expect(bashOffers("pair", "approve", "--s")).toEqual([]);
  });

  test("devices by their ids", () => {
    expect(bashOffers("devices", "revoke", "3f")).toEqual(["3f0f3e1e"]);
  });

  test("options, their words and sessions", () => {
    expect(bashOffers("run", "--bud")).toEqual(["--budget"]);
    expect(bashOffers("run", "--agent", "cl")).toEqual(["claude-code"]);
    expect(bashOffers("ls", "--status", "aw")).toEqual(["awaiting_approval"]);
    expect(bashOffers("approve", "3f")).toEqual(["3f0f3e1e"]);
    expect(bashOffers("approve", "@w")).toEqual(["@waiting"]);
    expect(bashOffers("-C", "/tmp", "diff", "--na")).toEqual(["--name-only"]);
    expect(bashOffers("daemon", "logs", "--li")).toEqual(["--lines"]);
    expect(bashOffers("config", "list", "--show")).toEqual(["--show-origin"]);
    expect(bashOffers("completion", "f")).toEqual(["fish"]);
  });
});

test.runIf(has("zsh"))("the script is zsh", () => {
  expect(spawnSync("zsh", ["-n"], { input: zshCompletion(ALL_COMMANDS), encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test.runIf(has("fish"))("the script is fish", () => {
  expect(spawnSync("fish", ["--no-execute"], { input: fishCompletion(ALL_COMMANDS) }).status).toBe(0);
});

describe.each([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
] as const)("%s", (shell, script) => {
  test("knows every command and every option", () => {
    const text = script(ALL_COMMANDS);
    for (const spec of ALL_COMMANDS) {
      for (const word of spec.path.split(" ")) expect(text).toContain(word);
      for (const name of optionsOf(spec).flatMap((option) => option.names)) {
        const written =
          shell === "fish" ? (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`) : name;
        expect(text).toContain(written);
      }
    }
  });

  test("every quote is closed on its line", () => {
    const lines = script(ALL_COMMANDS).split("\n");
    const plain = lines.map((line) => line.replaceAll("'\\''", "").replaceAll("\\'", ""));
    expect(plain.filter((line) => (line.match(/'/g)?.length ?? 0) % 2 === 1)).toEqual([]);
  });
});
