import { expect } from "vitest";
import { startCutProxy } from "../database/cut-proxy.test-kit.ts";
import { connectRaw } from "../database/open-cloud-database.ts";
import { createMemoryPokeBus } from "../live/poke-bus.ts";
import { createSyncPort } from "./create-sync-port.ts";
import { feedSum } from "./feed-sum.test-kit.ts";
import { codes, newId, openSyncStage, pullAll, stageDevice } from "./sync-stage.test-kit.ts";

/** Pushes through a line that breaks at so many places, spread over the whole exchange, and retries each once. */
export async function pushThroughCuts(cuts: number): Promise<void> {
  const stage = await openSyncStage();
  const proxy = await startCutProxy(stage.url);
  const sql = connectRaw(proxy.url, 1);
  try {
    const [real] = await stage.accountWith(1);
    if (real === undefined) throw new Error("no device");
    const port = createSyncPort(sql, { bus: createMemoryPokeBus() });
    const device = stageDevice(port, { ...real.caller, boot: real.boot, epoch: real.epoch });
    const items = () => ({ logs: [{ streamId: newId(), from: 1, events: 10, perSegment: 1 }] });
    const answered = async (work: Promise<unknown>): Promise<string> =>
      work.then(
        () => "done",
        (error: unknown) => String((error as { code?: unknown }).code),
      );
    // Once whole, on a warm connection: so many bytes does it take.
    await device.push(items(), { cursor: 1, since: 1 });
    proxy.cutAfter(null);
    await device.push(items(), { cursor: 2, since: 2 });
    const whole = proxy.passed();
    expect(whole).toBeGreaterThan(2_000);

    let pushes = 2;
    let cut = 0;
    for (let place = 0; place < cuts; place++) {
      const push = items();
      proxy.cutAfter(Math.floor((whole * place) / cuts) + 1);
      const first = await answered(device.push(push, { cursor: pushes, since: pushes }));
      if (first !== "done") {
        expect(first).toBe("unavailable");
        cut++;
      }
      proxy.cutAfter(null);
      expect(codes(await device.push(push, { cursor: 0, since: null }))).toEqual(["OK"]);
      pushes++;
    }
    expect(cut).toBeGreaterThan(cuts / 2);
    const { rows, page } = await pullAll(real);
    expect(rows.map((row) => row.version)).toEqual(Array.from({ length: pushes }, (_, index) => index + 1));
    expect(rows.every((row) => row.row === "log" && row.lastSeq === 10)).toBe(true);
    expect(page.sum).toBe(feedSum(rows));
    expect(await stage.sql`select count(*)::integer as pieces from segments`).toEqual([{ pieces: pushes * 10 }]);
  } finally {
    await sql.end({ timeout: 0 });
    await proxy.close();
    await stage.drop();
  }
}
