import { toBase64url } from "../bytes/base64url.ts";
import {
  checkSender,
  type EnvelopeParts,
  NO_CONTEXT,
  RECOVERY,
  readEnvelope,
  recipientBytes,
} from "../envelopes/envelope.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { fail } from "../vault-error.ts";
import { foldStatements } from "./fold-roster.ts";
import { activeDevice, activeDevices, type Roster, type RosterDevice } from "./roster.ts";
import { parseStatement, readWire } from "./statement.ts";

export interface RosterAppend {
  statement: unknown;
  envelopes: readonly unknown[];
}

export interface AppendedRoster {
  roster: Roster;
  added: RosterDevice[];
  /** Their tokens die in the same transaction (V8). */
  removed: string[];
}

/**
 * What the cloud checks before it stores a statement with its envelopes in one transaction (V8): V6 and V7, that it is
 * the next one (CONFLICT: answer with the newer statements), and with a new epoch one envelope for every member and
 * one for the recovery key. `roster` null founds a vault.
 */
export function checkAppend(roster: Roster | null, append: RosterAppend): Promise<Outcome<AppendedRoster>> {
  return outcomeOf(async () => {
    if (roster !== null) checkNext(roster, append.statement);
    const next = await foldStatements([append.statement], roster);
    await checkEnvelopes(next, roster, append.envelopes.map(readEnvelope));
    const before = roster?.devices ?? new Map<string, RosterDevice>();
    return {
      roster: next,
      added: activeDevices(next).filter(({ id }) => !before.has(id)),
      removed: [...before.values()].filter((d) => !d.removed && !activeDevice(next, d.id)).map(({ id }) => id),
    };
  });
}

/** Somebody was quicker: no fault of the statement, which is made anew on top of the newer ones. */
function checkNext(roster: Roster, statement: unknown): void {
  const { seq, prev } = parseStatement(readWire(statement).body);
  if (seq <= roster.seq || (prev !== null && toBase64url(prev) !== toBase64url(roster.hash)))
    fail("CONFLICT", `the newest statement is ${roster.seq}`);
}

async function checkEnvelopes(next: Roster, before: Roster | null, envelopes: EnvelopeParts[]): Promise<void> {
  if (envelopes.some(({ seq }) => seq !== next.seq)) fail("BAD_ROSTER", "an envelope of another statement");
  const recipients = envelopes.map(({ to }) => toBase64url(to));
  if (new Set(recipients).size !== recipients.length) fail("BAD_ROSTER", "two envelopes for one recipient");
  const members = activeDevices(next).map(({ id }) => id);
  if (next.epoch !== (before?.epoch ?? 0)) {
    const needed = [...members, RECOVERY].map((to) => toBase64url(recipientBytes(to)));
    if (needed.length !== recipients.length || !needed.every((to) => recipients.includes(to)))
      fail("BAD_ROSTER", "a new epoch needs one envelope for each member and one for recovery");
    for (const envelope of envelopes) await checkSender(next, envelope, NO_CONTEXT);
    return;
  }
  // The envelope of a pairing is signed over its transcript, which the cloud does not know: the newcomer checks it.
  const newcomers = members.filter((id) => !before?.devices.has(id)).map((id) => toBase64url(recipientBytes(id)));
  if (!recipients.every((to) => newcomers.includes(to))) fail("BAD_ROSTER", "an envelope that nobody asked for");
}
