import type { AccountCaller, WireEnvelope } from "@codehands/api/cloud";
import { activeDevice, type Roster } from "@codehands/vault";
import { RECOVERY_RECIPIENT } from "./store-statement.ts";
import { uuidOfBytes } from "./uuid-of-bytes.ts";

/**
 * Whether envelopes may be handed in without a statement: an admin makes them anew after this cloud was restored. They
 * belong to the newest statement and go to members or to the recovery key. What is in them, and who signed, is checked
 * by whoever opens them (V18). Null when they may.
 */
export function planLateEnvelopes(
  roster: Roster,
  caller: AccountCaller,
  envelopes: readonly WireEnvelope[],
): { code: "NOT_ALLOWED" | "BAD_ROSTER"; reason: string } | null {
  const sender = caller.kind === "device" ? activeDevice(roster, caller.deviceId) : null;
  if (sender === null || !sender.roles.includes("admin"))
    return { code: "NOT_ALLOWED", reason: "Only an admin device may hand out keys." };
  for (const { to, by, seq } of envelopes) {
    const recipient = uuidOfBytes(to);
    const known = recipient === RECOVERY_RECIPIENT || activeDevice(roster, recipient) !== null;
    if (!known || by !== sender.id || seq !== roster.seq)
      return { code: "BAD_ROSTER", reason: "An envelope is not for a member, or not of the newest statement." };
  }
  return null;
}
