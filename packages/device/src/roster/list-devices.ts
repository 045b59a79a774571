import type { AccountDevice } from "@codehands/api";
import { RECORD_KINDS } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import { type RosterDevice, shownName } from "@codehands/vault";
import type { Membership } from "./membership.ts";
import { readStatement } from "./read-statement.ts";

/** Every device that was ever a member, the oldest first: who they are by the roster, what they are called by themselves. */
export function listDevices(member: Membership, records: readonly HeldRecord[]): AccountDevice[] {
  const heard = lastHeard(records);
  const named = new Map(
    records.flatMap((record) => (record.kind === RECORD_KINDS.device ? [[record.id, bodyOf(record)] as const] : [])),
  );
  const at = (seq: number | undefined): string | null => {
    const statement = seq === undefined ? undefined : member.account.statements[seq];
    return statement ? readStatement(statement).at : null;
  };
  return [...member.roster.devices.values()].map((device: RosterDevice) => {
    const body = named.get(device.id);
    return {
      id: device.id,
      name: nameOf(body) ?? device.id.slice(0, 8),
      kind: kindOf(body),
      platform: device.platform,
      current: device.id === member.id,
      roles: [...device.roles],
      lastSeenAt: heard.get(device.id) ?? null,
      createdAt: at(device.history[0]?.seq),
      revokedAt: at(device.removed?.seq),
    };
  });
}

/** When the last signed record of each device was received; what could not be opened counts for nobody. */
function lastHeard(records: readonly HeldRecord[]): Map<string, string> {
  const heard = new Map<string, string>();
  for (const { base, writer, quarantine } of records) {
    if (!base || quarantine !== null || base.writer !== writer) continue;
    const known = heard.get(writer);
    if (known === undefined || known < base.receivedAt) heard.set(writer, base.receivedAt);
  }
  return heard;
}

type Body = { name?: unknown; kind?: unknown } | null;

function bodyOf({ body }: HeldRecord): Body {
  try {
    return body === null ? null : (JSON.parse(body) as Body);
  } catch {
    return null;
  }
}

const nameOf = (body: Body | undefined): string | null =>
  typeof body?.name === "string" && shownName(body.name).trim() !== "" ? shownName(body.name).trim() : null;

function kindOf(body: Body | undefined): AccountDevice["kind"] {
  const kinds = ["daemon", "browser", "program"] as const;
  return kinds.find((kind) => kind === body?.kind) ?? null;
}
