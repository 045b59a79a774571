import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RunnerError } from "../runner-error.ts";
import { hostDarwin, parsePsLine } from "./host-darwin.ts";
import { hostLinux } from "./host-linux.ts";
import { parseStat } from "./parse-stat.ts";
import { pickHost } from "./pick-host.ts";

describe("parseStat", () => {
  test("a program's name with blanks, brackets and a newline does not shift the fields", () => {
    const fields = "S 1 77 77 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 98765 1 2";
    expect(parseStat(`42 (a) S (b\n) x) ${fields}`)).toEqual({
      pid: 42,
      ppid: 1,
      pgid: 77,
      state: "S",
      startTicks: "98765",
      cpuTicks: 100,
    });
  });

  test.each(["", "42", "42 (sh) S 1 1", "no (stat) S 1"])("what is no stat line is null: %j", (text) => {
    expect(parseStat(text)).toBeNull();
  });
});

describe("hostLinux", () => {
  test("knows this process: its parent, its start, its folder and its environment", () => {
    const facts = hostLinux.look(process.pid);
    expect(facts).toMatchObject({ pid: process.pid, ppid: process.ppid, state: "R" });
    expect(hostLinux.look(process.pid)?.startTicks).toBe(facts?.startTicks);
    expect(hostLinux.directory(process.pid)).toBe(process.cwd());
    expect(hostLinux.environments([process.pid]).get(process.pid)).toContain("\0PATH=");
    expect(hostLinux.list(new Set()).map(({ pid }) => pid)).toContain(process.pid);
    expect(hostLinux.list(new Set([process.pid])).map(({ pid }) => pid)).not.toContain(process.pid);
  });

  test("a process that is in the middle of exec is not told as one without an environment", () => {
    const script = "i=0; while [ $i -lt 200 ]; do sleep 300 & i=$((i+1)); done; wait";
    const shell = spawn("sh", ["-c", script], { env: { PATH: process.env["PATH"], MARK: "1" }, detached: true });
    const pid = shell.pid ?? 0;
    const told = new Set<boolean>();
    const seen = new Set<number>();
    try {
      for (const end = Date.now() + 50_000; seen.size < 200 && Date.now() < end; ) {
        const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
        const newest = children.at(-1) ?? 0;
        for (const child of children) if (child > 0) seen.add(child);
        for (const text of hostLinux.environments([newest]).values()) told.add(text.includes("MARK=1\0"));
      }
    } finally {
      process.kill(-pid, "SIGKILL");
    }
    expect([seen.size, ...told]).toEqual([200, true]);
  });

  test("a process that was started without an environment is told as such", async () => {
    const child = spawn("sleep", ["300"], { env: {} });
    await once(child, "spawn");
    await expect.poll(() => readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).toContain("300");
    expect(hostLinux.environments([child.pid ?? 0]).get(child.pid ?? 0)).toBe("");
    child.kill("SIGKILL");
  });

  test("a number that no process has is null everywhere", () => {
    const none = 2 ** 22 + 1;
    expect([hostLinux.look(none), hostLinux.directory(none), hostLinux.environments([none]).size]).toEqual([
      null,
      null,
      0,
    ]);
  });
});

describe("host of macOS", () => {
  test.each([
    [
      "  501     1   501 Ss     0:01.25 Mon Nov 30 09:08:07 2026    ",
      { pid: 501, ppid: 1, pgid: 501, state: "S", cpuTicks: 125 },
    ],
    ["77 501 501 Z+ 1:02:03.04 Tue Dec  1 09:08:07 2026", { pid: 77, state: "Z", cpuTicks: 372_304 }],
    [
      "77 501 501 R 2-00:00:01 Tue Dec  1 09:08:07 2026",
      { cpuTicks: 17_280_100, startTicks: "Tue Dec 1 09:08:07 2026" },
    ],
  ])("reads a line of ps: %s", (line, facts) => {
    expect(parsePsLine(line)).toMatchObject(facts);
  });

  test("what is no line of ps is null", () => {
    expect([parsePsLine(""), parsePsLine("ps: illegal option")]).toEqual([null, null]);
  });
});

describe("pickHost", () => {
  test("Linux and macOS have one; Windows is refused in one sentence that says what to do", () => {
    expect(pickHost("linux")).toBe(hostLinux);
    expect(pickHost("darwin")).toBe(hostDarwin);
    expect(() => pickHost("win32")).toThrow(RunnerError);
    expect(() => pickHost("win32")).toThrow("install it inside WSL2");
    expect(() => pickHost("aix")).toThrow("use Linux or macOS");
  });
});
