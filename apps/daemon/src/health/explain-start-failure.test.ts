import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { DaemonError } from "../home/daemon-error.ts";
import { explainStartFailure } from "./explain-start-failure.ts";

it("F40 says how to build the database driver", () => {
  const missing = new Error("Could not locate the bindings file. Tried:\n → /x/better_sqlite3.node");
  expect(explainStartFailure(missing)).toContain("npm rebuild better-sqlite3");
  const other = Object.assign(new Error("compiled against a different version"), { code: "ERR_DLOPEN_FAILED" });
  expect(explainStartFailure(other)).toContain(process.version);
});

it("names the place that cannot be used, and a full disk", () => {
  let thrown: unknown;
  try {
    mkdirSync("/dev/null/home", { recursive: true });
  } catch (error) {
    thrown = error;
  }
  expect(explainStartFailure(thrown)).toMatch(/^\/dev\/null\/home cannot be used \(ENOTDIR\).*CODEHANDS_HOME/);
  expect(explainStartFailure(Object.assign(new Error("full"), { code: "ENOSPC", path: "/h" }))).toContain(
    "disk is full (/h)",
  );
});

it("keeps our own words, and hides no fault of ours", () => {
  expect(explainStartFailure(new DaemonError("home_in_use", "in use"))).toBe("in use");
  expect(explainStartFailure(new TypeError("x is not a function"))).toBeNull();
  expect(explainStartFailure("thrown text")).toBeNull();
});
