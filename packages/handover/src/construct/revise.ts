import { mergeOwn } from "../json/plain-object.ts";
import type { Provenance, StampedPacket } from "../packet/packet.ts";
import { type Patch, type ReviseOptions, readPacket, readPatch } from "./read-packet.ts";
import { type PacketBody, stampPacket } from "./stamp-packet.ts";

/**
 * The next checkpoint: version + 1, lists appended, goal and context replaced, state merged key by key, provenance made
 * anew. The packet stays as it is. Throws when the packet is invalid or was changed since it got its id
 * (`allow_tampered` goes on all the same), and when `patch.created` is missing.
 */
export function revise(packet: unknown, patch: Patch, options: ReviseOptions = {}): StampedPacket {
  const doing = "The packet was not revised";
  const before = readPacket(packet, { doing, options });
  return stampPacket(applyPatch(before, readPatch(patch, { doing })), doing);
}

/** What a patch makes of a packet, unchecked. Both are copies already. */
export function applyPatch(before: StampedPacket, patch: Patch): PacketBody {
  return {
    version: before.version + 1,
    goal: patch.goal ?? before.goal,
    context: patch.context ?? before.context,
    progress: [...before.progress, ...(patch.progress ?? [])],
    state: mergeOwn(before.state, patch.state ?? {}),
    next_steps: [...before.next_steps, ...(patch.next_steps ?? [])],
    open_questions: [...before.open_questions, ...(patch.open_questions ?? [])],
    artifacts: [...before.artifacts, ...(patch.artifacts ?? [])],
    provenance: nextProvenance(before.provenance, patch),
  };
}

function nextProvenance(before: Provenance, patch: Patch): Provenance {
  const session = patch.from_session ?? before.from_session;
  return {
    handed_off_by: patch.agent ?? before.handed_off_by,
    created: patch.created,
    ...(session === undefined ? {} : { from_session: session }),
  };
}
