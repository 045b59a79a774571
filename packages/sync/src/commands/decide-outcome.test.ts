import { RECORD_KINDS } from "@codehands/contracts";
import { describe, expect, test } from "vitest";
import type { CommandView } from "../ports/store.ts";
import { heldRecord, id, ME, OTHER, recordRow } from "../stores/store-rows.test-kit.ts";
import { COMMAND_LIFE_MS, decideOutcome } from "./decide-outcome.ts";

const received = Date.parse(recordRow().receivedAt);
const context = { deviceId: ME, boot: "b2", cursor: 9, now: received + 1 };
const command = heldRecord({ kind: RECORD_KINDS.command, id: id(30), writer: OTHER, base: recordRow() });
const outcome = (state: string, change: Parameters<typeof heldRecord>[0] = {}) =>
  heldRecord({
    kind: RECORD_KINDS.outcome,
    id: id(30),
    body: JSON.stringify({ state, boot: "b2" }),
    base: recordRow({ version: 9 }),
    ...change,
  });
const decide = (view: Partial<CommandView>, change = {}) =>
  decideOutcome({ command, outcome: null, ...view }, { ...context, ...change });
const DONE = '{"state":"done"}';

describe("T5 a command for this device", () => {
  test("S31 taken on, no outcome in the cloud → write it again, never run", () =>
    expect(decide({ applied: DONE })).toEqual({ do: "write-again", body: DONE }));
  test("S31 taken on, a lower outcome → write it again", () =>
    expect(decide({ applied: DONE, outcome: outcome("claimed") })).toEqual({ do: "write-again", body: DONE }));
  test("taken on and still working → nothing", () =>
    expect(decide({ applied: null, outcome: outcome("claimed") })).toEqual({ do: "nothing" }));
  test("taken on and answered → nothing", () => {
    expect(decide({ applied: DONE, outcome: outcome("done") })).toEqual({ do: "nothing" });
    expect(decide({ applied: '{"state":"refused"}', outcome: outcome("refused") })).toEqual({ do: "nothing" });
  });
  test("S29 pending → claim with this boot", () => expect(decide({})).toEqual({ do: "write", state: "claimed" }));
  test("S32 pending and too old by the cloud's clock → expired", () =>
    expect(decide({}, { now: received + COMMAND_LIFE_MS + 1 })).toEqual({ do: "write", state: "expired" }));
  test("S32 withdrawn before it was claimed → nothing", () =>
    expect(decide({ command: { ...command, deleted: true } })).toEqual({ do: "nothing" }));
  test("S29 claimed, acknowledged, passed → accept", () =>
    expect(decide({ outcome: outcome("claimed") })).toEqual({ do: "accept" }));
  test("S29 claimed, not acknowledged → nothing", () =>
    expect(decide({ outcome: outcome("claimed", { dirty: "edit", base: null }) })).toEqual({ do: "nothing" }));
  test("S29 claimed, acknowledged, the cursor has not passed it → nothing", () =>
    expect(decide({ outcome: outcome("claimed") }, { cursor: 8 })).toEqual({ do: "nothing" }));
  test("S32 claimed, and withdrawn meanwhile → refused", () =>
    expect(decide({ command: { ...command, deleted: true }, outcome: outcome("claimed") })).toEqual({
      do: "write",
      state: "refused",
    }));
  test("S30 claimed by an earlier process, never sent → claim again", () =>
    expect(decide({ outcome: outcome("claimed", { dirty: "edit", base: null }) }, { boot: "b3" })).toEqual({
      do: "write",
      state: "claimed",
    }));
  test("S30 claimed by another boot → in doubt", () =>
    expect(decide({ outcome: outcome("claimed") }, { boot: "b3" })).toEqual({ do: "write", state: "in_doubt" }));
  test("S30 claimed by another boot, sent again after a restore → in doubt", () =>
    expect(decide({ outcome: outcome("claimed", { dirty: "salvage", base: null }) }, { boot: "b3" })).toEqual({
      do: "write",
      state: "in_doubt",
    }));
  for (const state of ["expired", "refused", "in_doubt", "done"])
    test(`S28 ${state} → nothing`, () => expect(decide({ outcome: outcome(state) })).toEqual({ do: "nothing" }));
  test("S3 a command for the id this copy had before → nothing", () =>
    expect(decide({ applied: DONE, outcome: outcome("claimed", { writer: OTHER }) })).toEqual({ do: "nothing" }));
});
