import { test } from "vitest";
import { cutStory } from "./cut-story.ts";

// With `step: 1` it is every byte, eleven thousand cuts: five minutes of two processors.
test("S23 V17 cut at every third byte of an exchange, nothing is lost and nothing doubled", async () => {
  await cutStory({ step: 3, most: 10_000, owners: 4 });
}, 1_500_000);
