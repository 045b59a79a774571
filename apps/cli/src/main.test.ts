/** The program as a process: exit codes, signals and pipes as the system sees them. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LocalServer, startLocalServer } from "./local-server.test-kit.ts";
import { RUNNING } from "./memory-device.test-kit.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts the program; `onText` sees what it writes and may send signals or close the pipe. */
function start(words: string[], onText: (text: string, child: ReturnType<typeof spawn>) => void = () => undefined) {
  const args = ["--conditions=source", "--import", import.meta.resolve("tsx"), MAIN, ...words];
  const env = { PATH: process.env.PATH, CODEHANDS_HOME: server.home, HOME: "/home/me", LANG: "C.UTF-8" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended: Ended = { code: null, signal: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text: string) => {
      ended[name] += text;
      onText(text, child);
    });
  }
  return new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) => resolve({ ...ended, code, signal }));
  });
}

test("a command that fails ends with its exit code, and stdout stays empty", async () => {
  const { code, stdout, stderr } = await start(["approve", "7abc"]);
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(stderr).toBe(
    "error: Session 7abc is running, so there is nothing to approve yet.\n  hint: codehands wait 7abc\n",
  );
});

test("a large answer arrives whole in a pipe", async () => {
  for (let at = 0; at < 3_000; at += 1) server.device.add(RUNNING, "message", { text: `${at} ${"x".repeat(300)}` });
  const { code, stdout } = await start(["logs", "7abc", "--json"]);
  expect(code).toBe(0);
  expect(stdout.trim().split("\n")).toHaveLength(3_000);
});

test("a reader that goes away, as head does, ends it quietly", async () => {
  for (let at = 0; at < 3_000; at += 1) server.device.add(RUNNING, "message", { text: `${at} ${"x".repeat(300)}` });
  const { code, stderr } = await start(["logs", "7abc", "--json"], (_text, child) => child.stdout?.destroy());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("Ctrl-C while following a resumed session detaches with exit 130", async () => {
  server.device.change(RUNNING, { status: "stopped", reason: "person" });
  server.device.onCommand = (_kind, id) => server.device.add(id, "message", { text: "at work" });
  const { code, stderr } = await start(["resume", "7abc"], (text, child) => {
    if (text.includes("at work")) child.kill("SIGINT");
  });
  expect(code).toBe(130);
  expect(stderr).toContain("Detached. Session 7abc goes on.");
  expect(server.device.sessions.get(RUNNING)?.status).toBe("running");
});

test("version answers without the rest of the program", async () => {
  const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  expect(await start(["version"])).toMatchObject({ code: 0, stdout: `${own.version}\n`, stderr: "" });
  expect(readFileSync(MAIN, "utf8").startsWith("#!/usr/bin/env node\n")).toBe(true);
});
