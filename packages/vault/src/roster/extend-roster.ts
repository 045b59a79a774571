import { equalBytes } from "../bytes/join-bytes.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { fail } from "../vault-error.ts";
import { foldStatements } from "./fold-roster.ts";
import type { Roster } from "./roster.ts";
import { readWire, statementHash } from "./statement.ts";

/** What the cloud answers when it is asked for the roster. */
export interface RosterPage {
  /** The number of the first statement given. */
  from: number;
  statements: readonly unknown[];
  /** The number of the newest statement, as the cloud says. */
  head: number;
}

/**
 * A client extends its roster and never leaves it (V9): another vault is VAULT_CHANGED (keep everything, tell the
 * person, adopt nothing), another statement at a known place EQUIVOCATION, an older head ROLLBACK, a hole BAD_ROSTER.
 */
export function extendRoster(held: Roster, page: RosterPage): Promise<Outcome<Roster>> {
  return outcomeOf(async () => {
    if (page.from > held.seq + 1) fail("BAD_ROSTER", "statements are missing between");
    const known = page.statements.slice(0, held.seq + 1 - page.from);
    for (const [at, statement] of known.entries()) await checkKnown(held, page.from + at, statement);
    if (page.head < held.seq) fail("ROLLBACK", `roster ${page.head} after ${held.seq}`);
    const added = page.statements.slice(known.length);
    const roster = added.length === 0 ? held : await foldStatements(added, held);
    if (roster.seq < page.head && page.statements.length === 0) fail("WITHHELD", "roster");
    return roster;
  });
}

async function checkKnown(held: Roster, seq: number, statement: unknown): Promise<void> {
  const hash = await statementHash(readWire(statement).body);
  if (equalBytes(hash, held.hashes[seq] ?? new Uint8Array(0))) return;
  fail(seq === 0 ? "VAULT_CHANGED" : "EQUIVOCATION", `roster ${seq}`);
}
