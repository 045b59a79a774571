import { expect, test } from "vitest";
import type { Scenario } from "./planted.test-kit.ts";
import { runControl, runPlanted } from "./run-planted.test-kit.ts";

const SCENARIOS: Scenario[] = (["kept", "folder", "elsewhere", "commondir"] as const).flatMap((pointer) =>
  (["absolute", ".husky"] as const).map((hooks) => ({ pointer, hooks })),
);

test.each(SCENARIOS)(
  "F26 G06 .git $pointer, hooks $hooks: nothing runs, while plain git runs the plants",
  async (scenario) => {
    const ran = await runPlanted(scenario);
    expect(Object.values(ran).flat()).toEqual([]);
    expect(Object.keys(ran)).toHaveLength(9);
    expect((await runControl(scenario)).length).toBeGreaterThan(3);
  },
);
