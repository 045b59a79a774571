import { test } from "vitest";
import { cutStory } from "./cut-story.ts";

test("S23 V17 cut at bytes all over an exchange, nothing is lost and nothing doubled", async () => {
  await cutStory({ step: 7, most: 1_000 });
});
