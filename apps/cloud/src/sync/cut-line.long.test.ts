import { test } from "vitest";
import { pushThroughCuts } from "./cut-line.test-kit.ts";

test("F08 the line to the database cut at 600 places of a push: nothing lost, nothing twice", async () => {
  await pushThroughCuts(600);
});
