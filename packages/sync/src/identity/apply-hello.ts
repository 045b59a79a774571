import type { HelloReply, SyncRefusal } from "@codehands/contracts";
import type { Draft } from "../feed/draft.ts";
import { startReset } from "../feed/start-reset.ts";
import { BOOTS_KEPT, type SyncState } from "../ports/sync-state.ts";

/** S1: a process adds its boot id before it says hello. */
export function addBoot(state: SyncState, boot: string): SyncState {
  return state.boots.includes(boot) ? state : { ...state, boots: [...state.boots, boot].slice(-BOOTS_KEPT) };
}

/** S1–S5: the answer to a hello that was sent as `sentAs`. True: the process may go on. */
export function applyHello(draft: Draft, reply: HelloReply, sentAs: string): boolean {
  const { state } = draft;
  if (state.deviceId !== sentAs) return false;
  if (reply.answer === "COPY") state.copy = { seen: reply.seen };
  if (reply.answer !== "OK") return false;
  Object.assign(state, { mode: null, seen: null });
  // The first hello of a database begins no new lineage: nothing of an older one can be lost.
  const reason = state.epoch === "" ? "purged" : "lineage";
  if (reply.epoch !== state.epoch) startReset(draft, { gen: state.gen, reason, epoch: reply.epoch });
  return true;
}

/** S5: the cloud refuses this device altogether. */
export function applyRefusal(draft: Draft, answer: SyncRefusal["answer"], sentAs: string): void {
  const { state } = draft;
  if (state.deviceId !== sentAs) return;
  if (answer === "REVOKED") state.revoked = true;
  else state.mode = "register";
}
