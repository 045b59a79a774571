import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recording, replay } from "./replay.test-kit.ts";

const FOLDER = new URL("../../test/fixtures/golden/", import.meta.url);
const names = existsSync(FOLDER) ? readdirSync(FOLDER).map((file) => file.replace(/\.json$/, "")) : [];

/** Recordings in which the agent was signalled, because a person had asked for a stop. */
const STOPPED = new Set(["sigterm", "sigint", "sigkill"]);

describe("whole runs, event by event", () => {
  it("there are at least twelve of them", () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  // Each file was read through against its recording once; it holds everything but raw.
  it.each(names)("%s", (name) => {
    const { events, end } = replay(recording(name), STOPPED.has(name) ? { reason: "person", by: "device-1" } : null);
    const expected: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
    expect([...events.map(({ type, payload }) => ({ type, payload })), end]).toEqual(expected);
  });
});
