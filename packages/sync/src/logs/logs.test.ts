import { describe, expect, test } from "vitest";
import { Draft } from "../feed/draft.ts";
import { CHAIN_START } from "../ports/held-log.ts";
import type { LogView, View } from "../ports/store.ts";
import { newSyncState } from "../ports/sync-state.ts";
import { events, heldLog, heldRecord, id, logRow, ME, mac, OTHER } from "../stores/store-rows.test-kit.ts";
import { adoptEvents } from "./adopt-events.ts";
import { appendChained, appendOwn } from "./append-events.ts";
import { forkId } from "./fork-id.ts";
import { forkLog } from "./fork-log.ts";
import { matchSegments, type OpenedSegment } from "./match-segments.ts";
import { rechainUnsent } from "./rechain-unsent.ts";

const segment = (from: number, to: number): OpenedSegment => ({
  fromSeq: from,
  prevMac: from === 1 ? CHAIN_START : mac(100 + from - 1),
  events: events(from, to),
});
/** An own log that agrees with the cloud up to `same` and goes on to `last` with other content. */
const match = (o: { same: number; last: number; after: number; segments: OpenedSegment[] }) =>
  matchSegments({
    lastSeq: o.last,
    ownMac: (seq) => (seq === 0 ? CHAIN_START : seq <= o.same ? mac(100 + seq) : seq <= o.last ? mac(500 + seq) : null),
    after: o.after,
    segments: o.segments,
  });

describe("S18 S19 the search for common ground", () => {
  test("S18 what follows the own end is adopted", () =>
    expect(match({ same: 2, last: 2, after: 2, segments: [segment(3, 4)] })).toEqual({
      do: "adopt",
      keep: 2,
      events: events(3, 4),
    }));
  test("S19 a segment that covers the place begins before it: what is held is skipped", () =>
    expect(match({ same: 3, last: 3, after: 3, segments: [segment(1, 5)] })).toEqual({
      do: "adopt",
      keep: 3,
      events: events(4, 5),
    }));
  test("S17 the first difference is where the own log is cut", () =>
    expect(match({ same: 2, last: 4, after: 0, segments: [segment(1, 5)] })).toEqual({
      do: "adopt",
      keep: 2,
      events: events(3, 5),
    }));
  test("S18 not on the own chain: halfway back", () =>
    expect(match({ same: 2, last: 8, after: 8, segments: [segment(9, 9)] })).toEqual({
      do: "look-back",
      after: 4,
      stale: false,
    }));
  test("S18 a covering segment that begins too far on: halfway back from its start", () =>
    expect(match({ same: 2, last: 8, after: 8, segments: [segment(7, 12)] })).toEqual({
      do: "look-back",
      after: 3,
      stale: false,
    }));
  test("S18 a whole page agrees: on from its end", () =>
    expect(match({ same: 9, last: 9, after: 0, segments: [segment(1, 3)] })).toEqual({ do: "look-on", after: 3 }));
  test("S18 nothing came although the row promised more: the row is old", () =>
    expect(match({ same: 2, last: 2, after: 2, segments: [] })).toEqual({ do: "look-back", after: 1, stale: true }));
  test("S19 a segment that does not follow the one before ends what is read", () =>
    expect(match({ same: 0, last: 0, after: 0, segments: [segment(1, 2), segment(4, 5)] })).toEqual({
      do: "adopt",
      keep: 0,
      events: events(1, 2),
    }));
});

const draftOf = (log: LogView, records: View["records"] = new Map()): Draft =>
  new Draft({
    state: newSyncState(ME),
    records,
    logs: new Map([[log.streamId, log]]),
    events: [],
    waiting: [],
    commands: [],
  });
const own = {
  ...heldLog({ lastSeq: 4, tailMac: mac(104), pushedSeq: 4, finalSeq: 4, row: logRow({ lastSeq: 5 }) }),
  atRow: null,
};
const cut = [
  { id: "x", line: "x" },
  { id: id(1005), line: "y" },
];

describe("S17 the cloud's events take the place of what differs", () => {
  test("S17 the owner's tail waits, minus what came from the cloud; generation grows", () => {
    const draft = draftOf(own);
    adoptEvents(draft, { log: own, keep: 2, events: events(3, 5), waiting: [{ id: "z", line: "z" }], cut });
    expect(draft.log(own.streamId)).toMatchObject({
      lastSeq: 5,
      tailMac: mac(105),
      pushedSeq: 5,
      waiting: 1,
      generation: 1,
    });
    expect(draft.changes().slice(0, 3)).toEqual([
      { op: "cut", streamId: own.streamId, after: 2, to: "waiting" },
      { op: "unwait", streamId: own.streamId, ids: [id(1005)] },
      { op: "append", streamId: own.streamId, events: events(3, 5) },
    ]);
  });
  test("S17 a reader's tail is kept as orphans", () => {
    const theirs = { ...own, writer: OTHER, mine: false };
    const draft = draftOf(theirs);
    adoptEvents(draft, { log: theirs, keep: 2, events: events(3, 5), waiting: [], cut });
    expect(draft.changes()[0]).toEqual({ op: "cut", streamId: own.streamId, after: 2, to: "orphans" });
    expect(draft.log(own.streamId)).toMatchObject({ waiting: 0, generation: 1 });
  });
  test("S17 a reader that only was behind has no new generation", () => {
    const theirs = { ...own, writer: OTHER, mine: false };
    const draft = draftOf(theirs);
    adoptEvents(draft, { log: theirs, keep: 4, events: events(5, 5), waiting: [], cut: [] });
    expect(draft.log(own.streamId)).toMatchObject({ lastSeq: 5, generation: 0 });
  });
  test("S17 new events queue behind what waits, and mark the log as written here", () => {
    const waits = { ...own, waiting: 1, mine: false };
    const draft = draftOf(waits);
    appendOwn(draft, waits, { chained: events(5, 5) });
    expect(draft.log(own.streamId)).toMatchObject({ waiting: 2, lastSeq: 4, mine: true });
    const straight = draftOf(own);
    appendOwn(straight, own, { chained: events(5, 5) });
    expect(straight.log(own.streamId)).toMatchObject({ waiting: 0, lastSeq: 5, mine: true });
  });
  test("a number that is not the next one is refused", () =>
    expect(() => appendChained(draftOf(own), own, events(6, 6))).toThrow("does not follow"));
});

describe("S16 a fork", () => {
  const place = { streamId: id(20), deviceId: ME, at: 2, firstEventId: id(1003) };
  test("S16 its id is a UUIDv5 of session, device, place and first event", async () => {
    const made = await forkId(place);
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await forkId({ ...place })).toBe(made);
    for (const other of [{ at: 3 }, { deviceId: OTHER }, { streamId: id(21) }, { firstEventId: "x" }])
      expect(await forkId({ ...place, ...other })).not.toBe(made);
  });
  test("S16 the tail moves with its ids to a session of its own, in one transaction", () => {
    const old = { ...own, writer: OTHER, waiting: 1 };
    const draft = draftOf(old);
    const tail = events(1, 3);
    forkLog(draft, { log: old, at: 2, atMac: mac(102), drop: false, streamId: id(40), events: tail });
    expect(draft.log(old.streamId)).toMatchObject({
      lastSeq: 2,
      tailMac: mac(102),
      mine: false,
      waiting: 0,
      pushedSeq: 2,
    });
    expect(draft.log(id(40))).toMatchObject({ writer: ME, mine: true, lastSeq: 3, pushedSeq: 0 });
    expect(draft.record({ kind: 3, id: id(40) })).toMatchObject({ dirty: "edit", writer: ME });
    expect(draft.changes().map((change) => change.op)).toEqual([
      "cut",
      "unwait",
      "log",
      "append",
      "log",
      "forked",
      "record",
      "state",
    ]);
  });
  test("S16 S21 of a deleted session nothing else stays", () => {
    const draft = draftOf(own);
    forkLog(draft, { log: own, at: 2, atMac: mac(102), drop: true, streamId: id(40), events: events(1, 2) });
    expect(draft.log(own.streamId)).toMatchObject({ dead: true, lastSeq: 0, mine: false });
  });
  test("S3 S16 a session that the cloud never had goes along with its record under the fork's id", () => {
    const never = { ...own, row: null, writer: OTHER };
    const record = heldRecord({ kind: 3, id: own.streamId, writer: OTHER, dirty: "edit" });
    const draft = draftOf(never, new Map([[`3:${own.streamId}`, record]]));
    forkLog(draft, { log: never, at: 0, atMac: CHAIN_START, drop: false, streamId: id(40), events: events(1, 4) });
    expect(draft.record(record)).toBe(null);
  });
});

describe("V12 V19 unsent events after a change of the key", () => {
  const seen: LogView = {
    ...heldLog({ lastSeq: 5, tailMac: mac(105), pushedSeq: 2, finalSeq: 2, row: logRow(), waiting: 1 }),
    atRow: mac(102),
  };
  const draft = (log: LogView, from = 2): Draft =>
    new Draft({ ...draftOf(log).view, logs: new Map([[log.streamId, log]]), events: events(from, from) });

  test("V12 they wait in front, the number stays where the cloud's ends, and no generation grows", () => {
    const made = draft(seen);
    expect(rechainUnsent(made, seen.streamId)).toBe(true);
    expect(made.changes()[0]).toEqual({ op: "cut", streamId: seen.streamId, after: 2, to: "waiting" });
    expect(made.log(seen.streamId)).toMatchObject({ lastSeq: 2, tailMac: mac(102), waiting: 4, generation: 0 });
  });
  test("V12 a log that the cloud never had: all of it", () => {
    const made = draft({ ...seen, row: null, atRow: null, pushedSeq: 0, finalSeq: 0 });
    expect(rechainUnsent(made, seen.streamId)).toBe(true);
    expect(made.log(seen.streamId)).toMatchObject({ lastSeq: 0, tailMac: CHAIN_START, waiting: 6 });
  });
  const refused: [string, LogView, number?][] = [
    ["S33 no common ground", { ...seen, atRow: mac(9) }],
    ["S33 the cloud has more", { ...seen, row: logRow({ lastSeq: 6 }), atRow: null }],
    ["another device's log", { ...seen, writer: OTHER }],
    ["a deleted log", { ...seen, dead: true }],
    ["a log that the cloud deleted", { ...seen, row: logRow({ deleted: true }) }],
    ["nothing unsent", { ...seen, lastSeq: 2, tailMac: mac(102) }],
    ["S25 all of it was acknowledged once", { ...seen, finalSeq: 5 }],
    ["the event before is not in the view", seen, 3],
  ];
  for (const [name, log, from] of refused)
    test(`V12 ${name}: nothing is written`, () => {
      const made = draft(log, from);
      expect(rechainUnsent(made, log.streamId)).toBe(false);
      expect(made.changes()).toHaveLength(1);
    });
});
