import type { WireEnvelope } from "@codehands/api/cloud";
import { type EpochRoot, extendRoster, fromBase64url, openEnvelope, type Roster } from "@codehands/vault";
import type { DeviceCalls } from "../keys/device-calls.ts";
import { fetchRoster, plainEnvelope } from "./fetch-roster.ts";
import { giveBackStatements, handOutAnew, lacksEnvelope } from "./give-back.ts";
import type { Membership } from "./membership.ts";
import { refusedRoster, StopError } from "./stop-code.ts";

export interface RosterDeps {
  member: Membership;
  calls: DeviceCalls;
}

/**
 * Reads the roster on and opens the envelopes that came with it (V9, V18). Statements that the cloud lost go back first.
 * True when there is a newer key to seal with. Throws StopError for another vault or history, DeviceError `refused` for what
 * does not verify.
 */
export async function pullRoster(deps: RosterDeps): Promise<boolean> {
  const { member, calls } = deps;
  const before = member.roster;
  const after = Math.max(-1, before.seq - 1);
  let fetched = await fetchRoster(calls.call, after);
  checkVault(fetched.vault, member);
  if (fetched.head < before.seq) {
    await giveBackStatements(deps, fetched.head);
    // From the beginning: a roster that was laid on the shorter one shows as another history.
    fetched = await fetchRoster(calls.call, -1);
    checkVault(fetched.vault, member);
  }
  const extended = await extendRoster(before, fetched);
  if (!extended.ok) throw refusedRoster(extended);
  const known = before.seq - fetched.from + 1;
  const roster = extended.value;
  const added = fetched.statements.slice(Math.max(0, known));
  const couldSeal = member.ring.has(before.epoch);
  await member.takeOn({ roster, added, roots: await openNewRoots(member, roster, fetched.envelopes) });
  if (lacksEnvelope(member, fetched.envelopes)) await handOutAnew(deps);
  return member.ring.has(roster.epoch) && (roster.epoch > before.epoch || !couldSeal);
}

/** An account whose vault is another one is never adopted (V9); one without any was restored to before the vault. */
function checkVault(vault: string | null, member: Membership): void {
  if (vault !== null && vault !== member.account.vault) throw new StopError("VAULT_CHANGED");
}

/** The roots of epochs that are missing here, from the envelopes that open and prove themselves. */
async function openNewRoots(
  { ring, id, keys }: Membership,
  roster: Roster,
  envelopes: readonly WireEnvelope[],
): Promise<EpochRoot[]> {
  const missing = missingEpochs(roster, (epoch) => ring.has(epoch));
  if (missing.size === 0) return [];
  const found = new Map<number, EpochRoot>();
  for (const envelope of envelopes) {
    // Those of a pairing are bound to it, and were opened there.
    if (envelope.context !== undefined && fromBase64url(envelope.context).some((byte) => byte !== 0)) continue;
    const opened = await openEnvelope(plainEnvelope(envelope), { roster, to: id, agree: keys.agree });
    if (!opened.ok) continue;
    for (const root of opened.value.keys) if (missing.has(root.epoch)) found.set(root.epoch, root);
  }
  return [...found.values()];
}

function missingEpochs(roster: Roster, has: (epoch: number) => boolean): Set<number> {
  const missing = new Set<number>();
  for (let epoch = 1; epoch <= roster.epoch; epoch++) if (!has(epoch)) missing.add(epoch);
  return missing;
}
