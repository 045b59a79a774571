import { test } from "vitest";
import { cutStory } from "./cut-story.ts";

test("S23 V17 cut at every byte of an exchange, nothing is lost and nothing doubled", async () => {
  await cutStory({ step: 1, most: 10_000, owners: 4 });
});
