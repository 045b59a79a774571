import { test } from "vitest";
import { cutStory } from "./cut-story.ts";

test("S23 V17 a connection that is cut in the middle of a message loses nothing and doubles nothing", async () => {
  await cutStory({ step: 509, most: 25, owners: 1 });
});
