import { test } from "vitest";
import { pushThroughCuts } from "./cut-line.test-kit.ts";

test("F08 the line to the database cut anywhere in a push: unavailable or acknowledged, and after the retry everything is there once", async () => {
  await pushThroughCuts(16);
});
