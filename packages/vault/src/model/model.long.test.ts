import { describe, test } from "vitest";
import { checkLiar, checkLies } from "./check-seeds.test-kit.ts";

describe("three devices and a cloud, 1,000 seeds", () => {
  test("V20 V21 V22 V24 an honest cloud is never accused, and no lie goes unreported", () => checkLies(101, 1_100));
  test("V15 V20 V22 V24 of a cloud that lies at random nothing false is accepted", () => checkLiar(101, 1_100));
});
