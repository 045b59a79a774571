import type { PairingRow as PairingFacts, PairingState } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";

/** A pairing as it lies in the database. */
export interface StoredPairing {
  id: string;
  account_id: string | null;
  platform: string;
  place: string | null;
  commit: Buffer;
  offer_by: string | null;
  msg_o: Buffer | null;
  qr_tag: Buffer | null;
  enc: Buffer | null;
  ct: Buffer | null;
  state: PairingState;
  /** Seconds since it was started, by the database's clock. */
  age: number;
  /** Seconds it has left; not above 0 when it has expired. */
  left: number;
}

/** How a pairing is named: by its id, by the hash of the user code, or by the hash of the poll token. */
export type PairingName = { id: string } | { code: Buffer } | { poll: Buffer };

/** Reads a pairing that has not expired; null for any other. `lock` keeps it until the transaction ends. */
export async function findPairing(
  sql: Sql | TransactionSql,
  name: PairingName,
  lock = false,
): Promise<StoredPairing | null> {
  const where =
    "id" in name
      ? sql`id = ${name.id}`
      : "code" in name
        ? sql`user_code_hash = ${name.code}`
        : sql`poll_hash = ${name.poll}`;
  const [row] = await sql<StoredPairing[]>`
    select id, account_id, platform, place, commit, offer_by, msg_o, qr_tag, enc, ct, state,
      extract(epoch from now() - created_at)::float8 as age,
      extract(epoch from expires_at - now())::float8 as left
    from pairings where ${where} and expires_at > now()
    order by created_at desc limit 1 ${lock ? sql`for update` : sql``}`;
  return row ?? null;
}

/** The row as the law of pairing sees it; time counts from the moment it was read. */
export function factsOf(row: StoredPairing): PairingFacts {
  return {
    state: row.state,
    commit: row.commit,
    accountId: row.account_id,
    offerBy: row.offer_by,
    offer: row.msg_o,
    qrTag: row.qr_tag,
    reveal: row.enc === null || row.ct === null ? null : { enc: row.enc, ct: row.ct },
    expiresAt: row.left * 1_000,
  };
}

/** Writes what a step changed. Only where the state is still the one that was read: of parallel steps one wins. */
export async function writePairing(
  sql: Sql | TransactionSql,
  { id, state }: Pick<StoredPairing, "id" | "state">,
  next: PairingFacts,
): Promise<boolean> {
  const bytes = (value: Uint8Array | null): Buffer | null => (value === null ? null : Buffer.from(value));
  const written = await sql`
    update pairings set state = ${next.state}, account_id = ${next.accountId}, offer_by = ${next.offerBy},
      msg_o = ${bytes(next.offer)}, qr_tag = ${bytes(next.qrTag)},
      enc = ${bytes(next.reveal?.enc ?? null)}, ct = ${bytes(next.reveal?.ct ?? null)}
    where id = ${id} and state = ${state}`;
  return written.count === 1;
}
