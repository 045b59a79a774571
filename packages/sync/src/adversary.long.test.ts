import { describe, expect, test } from "vitest";
import { modelMachine } from "../test/model/model-machine.ts";
import { realMachine } from "../test/model/real-machine.ts";
import { rulesWithout } from "../test/model/rules.ts";
import { runScript } from "../test/model/run-script.ts";
import { machinesOf, scriptOf } from "../test/model/script.ts";

// Other seeds than the quick test's.
const FIRST = 101;

describe("P1–P6 hold against networks, crashes, copies and restored clouds", () => {
  for (const [name, make] of [
    ["the model", modelMachine],
    ["the client loop", realMachine],
  ] as const)
    test(`${name}: 1,000 seeds`, async () => {
      for (let seed = FIRST; seed < FIRST + 1_000; seed++) {
        const result = await runScript(scriptOf(seed, 160), {
          rules: rulesWithout(),
          machines: machinesOf(seed),
          make,
        });
        expect(result.ok ? "ok" : result.why, `seed ${seed}`).toBe("ok");
      }
    });
});
