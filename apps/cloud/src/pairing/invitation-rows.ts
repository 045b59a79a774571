import type { DeviceCaller } from "@codehands/api/cloud";
import { PAIRING_MS } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";
import { hashSecret } from "../devices/access-tokens.ts";

/** An invitation holds as long as a pairing does, by the database's clock. */
export const INVITATION_SECONDS = PAIRING_MS / 1_000;

/** Stores an invitation of a device that may let others in, as a hash; false when it may not, or was cut off. */
export async function storeInvitation(sql: Sql, device: DeviceCaller, invitation: string): Promise<boolean> {
  const { accountId, deviceId } = device;
  const stored = await sql`
    insert into invitations (account_id, hash, device_id, expires_at)
    select account_id, ${hashSecret(invitation)}, id, now() + make_interval(secs => ${INVITATION_SECONDS})
    from devices
    where account_id = ${accountId} and id = ${deviceId} and revoked_at is null and 'admin' = any(roles)`;
  return stored.count === 1;
}

/**
 * Spends an invitation on a pairing: of any number of parallel starts one gets it. It then lives as long as that pairing.
 * False for every invitation that does not count now, whatever the reason.
 */
export async function spendInvitation(tx: TransactionSql, invitation: string, pairingId: string): Promise<boolean> {
  const spent = await tx`
    update invitations set pairing_id = ${pairingId}, expires_at = now() + make_interval(secs => ${INVITATION_SECONDS})
    from devices
    where invitations.hash = ${hashSecret(invitation)} and pairing_id is null and expires_at > now()
      and devices.account_id = invitations.account_id and devices.id = invitations.device_id
      and devices.revoked_at is null and 'admin' = any(devices.roles)`;
  return spent.count === 1;
}

/** Which pairing was started with this device's own invitation; null for one that is somebody else's, or is over. */
export async function readInvitation(
  sql: Sql,
  { accountId, deviceId }: DeviceCaller,
  invitation: string,
): Promise<{ pairingId: string | null } | null> {
  const [row] = await sql<{ pairing_id: string | null }[]>`
    select pairing_id from invitations
    where account_id = ${accountId} and hash = ${hashSecret(invitation)} and device_id = ${deviceId}
      and expires_at > now()`;
  return row === undefined ? null : { pairingId: row.pairing_id };
}

/** Takes this device's own invitation back; false when there was none to take. */
export async function dropInvitation(sql: Sql, device: DeviceCaller, invitation: string): Promise<boolean> {
  const { accountId, deviceId } = device;
  const dropped = await sql`
    delete from invitations
    where account_id = ${accountId} and hash = ${hashSecret(invitation)} and device_id = ${deviceId}`;
  return dropped.count === 1;
}
