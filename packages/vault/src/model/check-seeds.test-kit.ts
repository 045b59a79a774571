import { expect } from "vitest";
import { LIES, type LieName } from "./lies.test-kit.ts";
import { openAccount } from "./model-account.test-kit.ts";
import { runLiar, runSeed } from "./run-model.test-kit.ts";

/** Runs seeds with an honest cloud, then each lie: no alarm, and every lie reported. */
export async function checkLies(first: number, last: number): Promise<void> {
  const account = await openAccount();
  const told = new Map<LieName, { tried: number; unreported: number[] }>();
  for (let seed = first; seed <= last; seed++) {
    const report = await runSeed(account, seed);
    expect(report.falseAlarms, `seed ${seed}, an honest cloud`).toEqual([]);
    for (const [name, alarms] of Object.entries(report.lies) as [LieName, string[]][]) {
      const so = told.get(name) ?? { tried: 0, unreported: [] };
      so.tried++;
      if (alarms.length === 0) so.unreported.push(seed);
      told.set(name, so);
    }
  }
  for (const name of Object.keys(LIES) as LieName[]) {
    const so = told.get(name);
    expect(so?.unreported, `seeds in which nobody noticed: ${name}`).toEqual([]);
    expect(so?.tried, `seeds in which this was possible: ${name}`).toBeGreaterThan((last - first) / 10);
  }
}

/** Runs seeds with a cloud that lies at random: nothing false is accepted, and who could know says so. */
export async function checkLiar(first: number, last: number): Promise<void> {
  const account = await openAccount();
  let [told, alarms] = [0, 0];
  for (let seed = first; seed <= last; seed++) {
    const report = await runLiar(account, seed);
    expect(report.accepted, `seed ${seed}: accepted, and never written there`).toEqual([]);
    expect(report.unreported, `seed ${seed}: deceived, and silent`).toEqual([]);
    told += report.told;
    alarms += report.alarms;
  }
  expect(told).toBeGreaterThan((last - first) * 5);
  expect(alarms).toBeGreaterThan(last - first);
}
