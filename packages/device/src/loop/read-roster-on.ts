import { resealCommands } from "../commands/reseal-commands.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import type { Membership } from "../roster/membership.ts";
import { pullRoster } from "../roster/pull-roster.ts";
import { retryQuarantine } from "../sealing/retry-quarantine.ts";
import type { OpenSync } from "./open-sync.ts";

/** Reads the roster on, and does what follows from a newer one. Throws as `pullRoster` does. */
export async function readRosterOn(
  { store, clock }: Pick<DeviceOptions, "store" | "clock">,
  member: Membership,
  { calls, facts, client }: Pick<OpenSync, "calls" | "facts" | "client">,
): Promise<void> {
  const before = member.roster.seq;
  const newKey = await pullRoster({ member, calls });
  // What was put aside may open now (V16).
  if (newKey || member.roster.seq !== before) await retryQuarantine({ store, member, facts });
  if (!newKey) return;
  // V12: what was never acknowledged is chained anew.
  await client.rechain();
  await sealCommandsAgain({ store, clock }, member);
  client.changed();
}

/** V27: an owner obeys only what is sealed under the newest key. */
export async function sealCommandsAgain(
  { store, clock }: Pick<DeviceOptions, "store" | "clock">,
  member: Membership,
): Promise<void> {
  await resealCommands({ store, me: member.id, epoch: member.roster.epoch, now: clock() });
}
