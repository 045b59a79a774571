import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeLock } from "./lock.ts";

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "codehands-lock-"));
  file = join(dir, "daemon.lock");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Another process that takes the lock the same way and then does nothing. */
async function holdElsewhere() {
  const sqlite = createRequire(import.meta.url).resolve("better-sqlite3");
  const program = `
    const db = new (require(${JSON.stringify(sqlite)}))(process.argv[1], { timeout: 0 });
    db.pragma("journal_mode = DELETE"); db.exec("BEGIN EXCLUSIVE");
    require("fs").writeFileSync(process.argv[1] + ".holder", "daemon " + process.pid);
    console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["-e", program, file], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("F11, C089: a second daemon is refused at once and told who holds the home", async () => {
  const child = await holdElsewhere();
  try {
    expect(takeLock(file, "me")).toEqual({ held: true, by: `daemon ${child.pid}` });
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

test("F12: the lock dies with its process, even one that was stopped (C075) and then killed", async () => {
  const child = await holdElsewhere();
  child.kill("SIGSTOP");
  expect(takeLock(file, "me")).toMatchObject({ held: true });
  child.kill("SIGKILL");
  await once(child, "exit");
  const deadline = Date.now() + 30_000;
  let lock = takeLock(file, "me");
  while ("held" in lock && Date.now() < deadline) {
    await pause(10);
    lock = takeLock(file, "me");
  }
  expect("release" in lock).toBe(true);
  if ("release" in lock) lock.release();
});

test("released, it can be taken again", () => {
  const first = takeLock(file, "first");
  expect(takeLock(file, "second")).toEqual({ held: true, by: "first" });
  if ("release" in first) first.release();
  const second = takeLock(file, "second");
  expect("release" in second).toBe(true);
  if ("release" in second) second.release();
});
