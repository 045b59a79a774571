import { CHAIN_START } from "@codehands/client/store";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollectingHome } from "./collecting-home.test-kit.ts";

let home: ReturnType<typeof openCollectingHome>;
beforeEach(() => {
  home = openCollectingHome();
});
afterEach(() => home.close());

const tellsOf = async (id: string) => {
  const { lastSeq, tailMac, status } = JSON.parse((await home.record(RECORD_KINDS.session, id))?.body ?? "null");
  return { lastSeq, tailMac, status };
};

/** The key changed before the events were sent: the sync lets them wait, and gives them other chain values. */
async function chainAnew(id: string): Promise<string> {
  const log = await home.device.logOf(id);
  if (log === null) throw new Error("no log");
  const events = await home.device.eventsOf({ streamId: id, after: 0, limit: 100 });
  await home.device.apply({}, () => ({
    changes: [
      { op: "cut", streamId: id, after: 0, to: "waiting" },
      { op: "log", log: { ...log, lastSeq: 0, tailMac: CHAIN_START, waiting: events.length } },
    ],
    result: undefined,
  }));
  const macs = events.map(({ mac }) => mac.split("").reverse().join("").replace(/.$/, "A"));
  const tailMac = macs.at(-1) ?? CHAIN_START;
  await home.device.apply({}, () => ({
    changes: [
      { op: "unwait", streamId: id, ids: "all" },
      { op: "append", streamId: id, events: events.map((event, at) => ({ ...event, mac: macs[at] ?? "" })) },
      { op: "log", log: { ...log, tailMac, waiting: 0 } },
    ],
    result: undefined,
  }));
  return tailMac;
}

describe("V12 V21 after a change of the key", () => {
  it("the record of a session at rest names the chain value that its last event has now", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message", "task.finished");
    await home.collect();
    const before = await tellsOf(id);
    const asked = home.changes();
    const tailMac = await chainAnew(id);
    expect(home.changes()).toBeGreaterThan(asked);
    expect(tailMac).not.toBe(before.tailMac);
    await home.collect();
    expect(await tellsOf(id)).toEqual({ lastSeq: 3, tailMac, status: "awaiting_approval" });
    home.bus.poke(id);
    const rev = (await home.record(RECORD_KINDS.session, id))?.rev;
    await home.collect();
    expect((await home.record(RECORD_KINDS.session, id))?.rev).toBe(rev);
  });

  it("so does that of a running one, with the next second", async () => {
    const id = home.add();
    home.happen(id, "task.started", "message");
    await home.collect();
    home.pass(2_000);
    const tailMac = await chainAnew(id);
    home.bus.poke(id);
    await home.collect();
    expect(await tellsOf(id)).toEqual({ lastSeq: 2, tailMac, status: "running" });
  });
});
