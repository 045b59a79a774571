import type { CloudDevice, DeviceCaller } from "@codehands/api/cloud";
import type { Roster } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";
import { endTokens } from "./access-tokens.ts";

interface DeviceRow {
  id: string;
  sign: Buffer;
  agree: Buffer;
  roles: CloudDevice["roles"];
  platform: string;
  created_at: Date;
  last_seen_at: Date | null;
  revoked_at: Date | null;
  removed_at: Date | null;
}

/** The devices of an account, the oldest first. */
export async function readDevices(sql: Sql, accountId: string): Promise<CloudDevice[]> {
  const rows = await sql<DeviceRow[]>`
    select id, sign, agree, roles, platform, created_at, last_seen_at, revoked_at, removed_at
    from devices where account_id = ${accountId} order by created_at, id`;
  return rows.map((row) => ({
    id: row.id,
    sign: row.sign.toString("base64url"),
    agree: row.agree.toString("base64url"),
    roles: row.roles,
    platform: row.platform,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    inRoster: row.removed_at === null,
  }));
}

/** What a living device may do; null when it is unknown or cut off. */
export async function rolesOf(sql: Sql, accountId: string, deviceId: string): Promise<CloudDevice["roles"] | null> {
  const [row] = await sql<{ roles: CloudDevice["roles"] }[]>`
    select roles from devices where account_id = ${accountId} and id = ${deviceId} and revoked_at is null`;
  return row?.roles ?? null;
}

/** Writes what the roster says of each device; whom it removed is cut off at once (V8). */
export async function writeDevices(tx: TransactionSql, accountId: string, roster: Roster): Promise<void> {
  for (const device of roster.devices.values()) {
    const removed = device.removed !== null;
    const changed = await tx<{ id: string }[]>`
      insert into devices (account_id, id, sign, agree, roles, platform, revoked_at, removed_at)
      values (${accountId}, ${device.id}, ${Buffer.from(device.sign)}, ${Buffer.from(device.agree)},
        ${tx.array([...device.roles])}, ${device.platform},
        ${removed ? tx`now()` : null}, ${removed ? tx`now()` : null})
      on conflict (account_id, id) do update set
        roles = excluded.roles,
        removed_at = coalesce(devices.removed_at, excluded.removed_at),
        revoked_at = coalesce(devices.revoked_at, excluded.revoked_at)
      where devices.roles is distinct from excluded.roles
        or (devices.removed_at is null and excluded.removed_at is not null)
      returning id`;
    if (removed && changed.count > 0) await endTokens(tx, accountId, device.id);
  }
}

/** Cuts a device off; null when the account has no such device. True when the roster still has it. */
export async function cutOff(sql: Sql, accountId: string, deviceId: string): Promise<{ inRoster: boolean } | null> {
  return sql.begin(async (tx) => {
    const [row] = await tx<{ removed_at: Date | null }[]>`
      update devices set revoked_at = coalesce(revoked_at, now())
      where account_id = ${accountId} and id = ${deviceId}
      returning removed_at`;
    if (row === undefined) return null;
    await endTokens(tx, accountId, deviceId);
    return { inRoster: row.removed_at === null };
  });
}

/** Of these devices, those that were cut off or are gone. */
export async function cutOffAmong(sql: Sql, devices: readonly DeviceCaller[]): Promise<DeviceCaller[]> {
  if (devices.length === 0) return [];
  const rows = await sql<{ account_id: string; device_id: string }[]>`
    select asked.account_id, asked.device_id
    from unnest(${devices.map(({ accountId }) => accountId)}::uuid[], ${devices.map(({ deviceId }) => deviceId)}::uuid[])
      as asked (account_id, device_id)
    left join devices d on d.account_id = asked.account_id and d.id = asked.device_id
    where d.id is null or d.revoked_at is not null`;
  return rows.map((row) => ({ kind: "device", accountId: row.account_id, deviceId: row.device_id }));
}

/** True for a device that was cut off here, also while the roster still has it: what it signs is not taken any more. */
export async function isCutOff(sql: Sql | TransactionSql, accountId: string, deviceId: string): Promise<boolean> {
  const found = await sql`
    select 1 from devices where account_id = ${accountId} and id = ${deviceId} and revoked_at is not null`;
  return found.count > 0;
}
