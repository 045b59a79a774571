import { describe, expect, test } from "vitest";
import { CpuMeter } from "./cpu-meter.ts";
import type { ProcessFacts } from "./host.ts";

const busy = (pid: number, cpuTicks: number): ProcessFacts => ({
  pid,
  ppid: 1,
  pgid: 1,
  startTicks: "5",
  state: "S",
  cpuTicks,
});

describe("CpuMeter", () => {
  test("what was used before the first look does not count", () => {
    const meter = new CpuMeter();
    expect(meter.isWorking([busy(1, 5_000)], 1_000)).toBe(false);
    expect(meter.isWorking([busy(1, 5_000)], 2_000)).toBe(false);
    expect(meter.isWorking([busy(1, 5_050)], 3_000)).toBe(true);
  });

  test("C002: the hum of a waiting program, less than a hundredth of a processor, is no work however long it hums", () => {
    const meter = new CpuMeter();
    const looks = Array.from({ length: 200 }, (_, index) =>
      meter.isWorking([busy(1, index * 2)], 1_000 + index * 3_000),
    );
    expect(looks.includes(true)).toBe(false);
  });

  test("C017: work of children counts, also when each child is new and the one before is gone", () => {
    const meter = new CpuMeter();
    meter.isWorking([busy(1, 10), busy(2, 100)], 1_000);
    expect(meter.isWorking([busy(1, 10), busy(3, 40)], 2_000)).toBe(true);
    expect(meter.isWorking([busy(1, 10)], 1_000)).toBe(false);
    expect(meter.isWorking([busy(1, 200)], 2_000)).toBe(true);
  });

  test("work before output came is forgotten with it", () => {
    const meter = new CpuMeter();
    meter.isWorking([busy(1, 0)], 500_000);
    expect(meter.isWorking([busy(1, 400)], 510_000)).toBe(false);
    expect(meter.isWorking([busy(1, 400)], 1_000)).toBe(false);
  });
});
