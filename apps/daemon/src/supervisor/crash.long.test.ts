import { expect, test } from "vitest";
import { crashAndCheck, dryRun } from "./crash-run.test-kit.ts";
import { LIVES, type Life } from "./life.test-kit.ts";

test.each(Object.keys(LIVES) as Life[])(
  "F01: killed at every visit of every point of the life %s, the daemon ends as without a crash",
  async (life) => {
    const dry = await dryRun(life);
    expect(dry.points.length).toBeGreaterThan(10);
    for (const point of dry.points) await crashAndCheck(life, point, dry.types);
  },
);
