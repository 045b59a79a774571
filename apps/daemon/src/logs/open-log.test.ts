import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "./open-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const mask = (line: string): string => line.replaceAll("t0ken", "[redacted]");
const lines = (file = "daemon.log") =>
  readFileSync(join(folder, "logs", file), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it("C122 writes lines of JSON that only their owner can read, and no secret", () => {
  const log = openLog({ folder: join(folder, "logs"), redact: mask });
  log.info({ path: "/trpc/t0ken" }, "answered");
  log.error({ error: new Error("broke at t0ken", { cause: new Error("because") }) }, "a fault");
  log.close();
  expect(lines()).toMatchObject([
    { level: 30, path: "/trpc/[redacted]", msg: "answered" },
    { level: 50, error: { message: "broke at [redacted]", cause: { message: "because" } } },
  ]);
  expect(statSync(join(folder, "logs/daemon.log")).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "logs")).mode & 0o777).toBe(0o700);
});

it("sets a large log aside at the start and keeps three of them", () => {
  for (let start = 1; start <= 6; start += 1) {
    const log = openLog({ folder: join(folder, "logs"), redact: mask, maxBytes: 10 });
    log.info({ start }, "started");
    log.close();
  }
  expect(readdirSync(join(folder, "logs")).sort()).toEqual([
    "daemon.log",
    "daemon.log.1",
    "daemon.log.2",
    "daemon.log.3",
  ]);
  expect(lines()).toMatchObject([{ start: 6 }]);
  expect(lines("daemon.log.3")).toMatchObject([{ start: 3 }]);
});

it("goes on in a small log, and takes away what others may read", () => {
  const first = openLog({ folder: join(folder, "logs"), redact: mask });
  first.info({ start: 1 }, "started");
  first.close();
  chmodSync(join(folder, "logs/daemon.log"), 0o644);
  const second = openLog({ folder: join(folder, "logs"), redact: mask });
  second.warn({ start: 2 }, "started");
  second.close();
  expect(lines()).toMatchObject([{ start: 1 }, { start: 2 }]);
  expect(statSync(join(folder, "logs/daemon.log")).mode & 0o777).toBe(0o600);
});
