import type { Draft } from "./draft.ts";

export interface Reset {
  /** The generation of the request that was answered so. */
  gen: number;
  reason: "lineage" | "purged";
  epoch: string;
}

/** S10: everything the cloud said is forgotten, everything held here stays. False: the answer was a late one. */
export function startReset(draft: Draft, { gen, reason, epoch }: Reset): boolean {
  const { state } = draft;
  if (gen !== state.gen) return false;
  // A lineage reset that is started again stays one.
  const kept = state.reset?.reason === "lineage" ? "lineage" : reason;
  draft.forgetRows();
  Object.assign(state, { gen: state.gen + 1, epoch, cursor: 0, reset: { since: null, reason: kept } });
  return true;
}
