import type { RosterPage, WireEnvelope, WireStatement } from "@codehands/api/cloud";
import type { CloudClient } from "@codehands/api/cloud-client";

/** All pages of a roster after a seq. */
export interface FetchedRoster {
  /** Null while the account has no vault. */
  vault: string | null;
  /** The number of the first statement. */
  from: number;
  statements: WireStatement[];
  /** The newest statement, as the cloud says; −1 for none. */
  head: number;
  /** For a device its own, for a login those for the recovery key. */
  envelopes: WireEnvelope[];
}

/** Reads a roster to its end: what comes after `after`, −1 for all. `call` makes one request. */
export async function fetchRoster(
  call: (ask: (client: CloudClient) => Promise<RosterPage>) => Promise<RosterPage>,
  after: number,
): Promise<FetchedRoster> {
  const statements: WireStatement[] = [];
  for (;;) {
    const page = await call((client) => client.roster.get.query({ after: after + statements.length }));
    statements.push(...page.statements);
    if (page.more && page.statements.length > 0) continue;
    const { vault, seq: head, envelopes } = page;
    return { vault, from: after + 1, statements, head, envelopes };
  }
}

/** An envelope without what stands beside it: the context is never the cloud's to say. */
export const plainEnvelope = ({ v, to, seq, by, enc, ct, sig }: WireEnvelope): Omit<WireEnvelope, "context"> => ({
  v,
  to,
  seq,
  by,
  enc,
  ct,
  sig,
});
