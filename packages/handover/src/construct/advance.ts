import { HandoverError } from "../handover-error.ts";
import { mergeOwn } from "../json/plain-object.ts";
import type { Artifact, StampedPacket } from "../packet/packet.ts";
import { type Patch, type ReviseOptions, readPacket, readPatch } from "./read-packet.ts";
import { applyPatch } from "./revise.ts";
import { stampPacket } from "./stamp-packet.ts";

/** A patch that also closes what was open. */
export interface AdvancePatch extends Patch {
  /** Next steps that are done, word for word: they go over to progress. */
  done?: string[];
  /** Open questions that have an answer, word for word: they go. Say the answer in `context` or `progress`. */
  resolved?: string[];
}

/**
 * The next checkpoint with finished steps and answered questions closed, which `revise` can only add to. Artifacts of
 * the same path become one, the newest. `state.prev_id` names the checkpoint before. Throws as `revise` does, and for a
 * step or a question that the packet does not hold.
 */
export function advance(packet: unknown, patch: AdvancePatch, options: ReviseOptions = {}): StampedPacket {
  const doing = "The packet was not advanced";
  const before = readPacket(packet, { doing, options });
  const { done = [], resolved = [], ...rest } = readPatch(patch, { doing, more: ["done", "resolved"] });
  const closed: StampedPacket = {
    ...before,
    next_steps: without(before.next_steps, done, { doing, what: "next step" }),
    open_questions: without(before.open_questions, resolved, { doing, what: "open question" }),
    progress: [...before.progress, ...new Set(done)],
  };
  const body = applyPatch(closed, rest);
  const chain = before.id === "" ? {} : { prev_id: before.id };
  return stampPacket({ ...body, artifacts: lastOfPath(body.artifacts), state: mergeOwn(body.state, chain) }, doing);
}

function without(items: readonly string[], gone: readonly string[], o: { doing: string; what: string }): string[] {
  for (const item of gone) {
    if (!items.includes(item))
      throw new HandoverError("invalid_input", `${o.doing}: there is no ${o.what} ${JSON.stringify(item)} in it.`);
  }
  return items.filter((item) => !gone.includes(item));
}

/** One artifact for each path: the last word, at the place of the first. Entries of another form stay for the check. */
function lastOfPath(artifacts: readonly Artifact[]): Artifact[] {
  const byPath = new Map<unknown, Artifact>();
  for (const artifact of artifacts) byPath.set(artifact?.path ?? artifact, artifact);
  return [...byPath.values()];
}
