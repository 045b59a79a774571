import { describe, test } from "vitest";
import { checkLiar, checkLies } from "./check-seeds.test-kit.ts";

describe("three devices and a cloud, 100 seeds", () => {
  test(
    "V20 V21 V22 V24 an honest cloud is never accused, and no lie goes unreported",
    () => checkLies(1, 100),
    240_000,
  );
  test("V15 V20 V22 V24 of a cloud that lies at random nothing false is accepted", () => checkLiar(1, 100), 240_000);
});
