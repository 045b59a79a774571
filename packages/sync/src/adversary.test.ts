import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ALL_RULES } from "../test/model/ablate.ts";
import { modelMachine } from "../test/model/model-machine.ts";
import { prove } from "../test/model/proofs.ts";
import { realMachine } from "../test/model/real-machine.ts";
import { rulesWithout } from "../test/model/rules.ts";
import { runScript } from "../test/model/run-script.ts";
import { machinesOf, scriptOf } from "../test/model/script.ts";

describe("P1–P6 hold against networks, crashes, copies and restored clouds", () => {
  for (const [name, make] of [
    ["the model", modelMachine],
    ["the client loop", realMachine],
  ] as const)
    test(`${name}: 100 seeds`, async () => {
      for (let seed = 1; seed <= 100; seed++) {
        const result = await runScript(scriptOf(seed, 160), {
          rules: rulesWithout(),
          machines: machinesOf(seed),
          make,
        });
        expect(result.ok ? "ok" : result.why, `seed ${seed}`).toBe("ok");
      }
    }, 240_000);
});

test("each switch of the adversary's world stands at a rule of the SPEC, and no other", () => {
  const spec = readFileSync(new URL("../SPEC.md", import.meta.url), "utf8");
  const named = [...spec.matchAll(/; without (.+?) \|$/gm)].flatMap((found) => found[1]?.split(", ") ?? []);
  expect(named.sort()).toEqual([...ALL_RULES].sort());
});

describe("each rule is needed: without it something breaks", () => {
  for (const rule of ALL_RULES)
    test(rule, async () => {
      const { on, off } = await prove(rule);
      expect(on).toBe(null);
      expect(off).toMatch(/^(?!THROWN)[A-Z]+: /);
    });
});
