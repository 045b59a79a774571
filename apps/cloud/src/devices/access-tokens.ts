import { createHash, randomBytes } from "node:crypto";
import type { DeviceCaller } from "@codehands/api/cloud";
import type { Sql, TransactionSql } from "postgres";

/** How long these live, by the database's clock (V28). */
const CHALLENGE_SECONDS = 60;
const TOKEN_SECONDS = 60 * 60;

/** What is stored in the place of a secret of 128 bits or more. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(Buffer.from(secret, "base64url")).digest();
}

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** 128 random bits, base64url: short enough for a QR that a terminal shows. */
export function newInvitation(): string {
  return randomBytes(16).toString("base64url");
}

export interface Deadline {
  secret: string;
  /** ISO, the database's clock. */
  expiresAt: string;
}

/** Makes a challenge for a device of an account. */
export async function makeChallenge(sql: Sql, accountId: string, deviceId: string): Promise<Deadline> {
  const secret = newSecret();
  const [row] = await sql<{ expires_at: Date }[]>`
    insert into challenges (account_id, hash, device_id, expires_at)
    values (${accountId}, ${hashSecret(secret)}, ${deviceId}, now() + make_interval(secs => ${CHALLENGE_SECONDS}))
    returning expires_at`;
  return { secret, expiresAt: isoOf(row?.expires_at) };
}

/** A challenge that leads nowhere, with the deadline a real one would have. */
export async function pretendChallenge(sql: Sql): Promise<Deadline> {
  const [row] = await sql<{ expires_at: Date }[]>`
    select now() + make_interval(secs => ${CHALLENGE_SECONDS}) as expires_at`;
  return { secret: newSecret(), expiresAt: isoOf(row?.expires_at) };
}

/** Takes a challenge away, so that it works once; false when it was used, has expired or is another device's. */
export async function useChallenge(
  sql: Sql,
  { accountId, deviceId, challenge }: { accountId: string; deviceId: string; challenge: string },
): Promise<boolean> {
  const used = await sql`
    delete from challenges
    where account_id = ${accountId} and hash = ${hashSecret(challenge)} and device_id = ${deviceId}
      and expires_at > now()`;
  return used.count === 1;
}

/** Makes an access token, unless the device was revoked meanwhile: null. */
export async function makeToken(sql: Sql, accountId: string, deviceId: string): Promise<Deadline | null> {
  const secret = newSecret();
  const [row] = await sql<{ expires_at: Date }[]>`
    with living as (
      update devices set last_seen_at = now()
      where account_id = ${accountId} and id = ${deviceId} and revoked_at is null
      returning account_id, id)
    insert into access_tokens (account_id, hash, device_id, expires_at)
    select account_id, ${hashSecret(secret)}, id, now() + make_interval(secs => ${TOKEN_SECONDS}) from living
    returning expires_at`;
  return row === undefined ? null : { secret, expiresAt: isoOf(row.expires_at) };
}

/** The device of a token that counts now. A revoked device has none: its tokens go with the revocation. */
export async function deviceOfToken(sql: Sql, token: string): Promise<DeviceCaller | null> {
  const [row] = await sql<{ account_id: string; device_id: string }[]>`
    select t.account_id, t.device_id
    from access_tokens t
    join devices d on d.account_id = t.account_id and d.id = t.device_id
    where t.hash = ${hashSecret(token)} and t.expires_at > now() and d.revoked_at is null`;
  return row === undefined ? null : { kind: "device", accountId: row.account_id, deviceId: row.device_id };
}

/** Ends all tokens of a device, in the transaction that cuts it off. */
export async function endTokens(tx: TransactionSql, accountId: string, deviceId: string): Promise<void> {
  await tx`delete from access_tokens where account_id = ${accountId} and device_id = ${deviceId}`;
  await tx`delete from challenges where account_id = ${accountId} and device_id = ${deviceId}`;
}

function isoOf(date: Date | undefined): string {
  if (date === undefined) throw new TypeError("the database gave no deadline");
  return date.toISOString();
}
