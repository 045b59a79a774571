import { describe, test } from "vitest";
import { KEY_CHECKS } from "./key-checks.test-kit.ts";
import { PAIRING_CHECKS } from "./pairing-checks.test-kit.ts";
import { SEAL_CHECKS } from "./seal-checks.test-kit.ts";

describe("the vectors of the format, in Node", () => {
  for (const { name, run } of [...KEY_CHECKS, ...SEAL_CHECKS, ...PAIRING_CHECKS]) test(name, run);
});
