import { describe, expect, test } from "vitest";
import { playCrashStory } from "./crash-story.ts";

/** The points where the most could go wrong: between two things that belong together. */
const SAMPLE = ["run.after-spawn", "end.after-snapshot", "approve.after-update-ref", "trash.after-rename"];

describe("a daemon killed on the way ends as one that was not (F01, G03, G04)", () => {
  test.each(SAMPLE)("at %s", async (name) => {
    expect(await playCrashStory({ name, nth: 1 })).toContain(name);
  });
});
