import { RECORD_KINDS } from "@codehands/contracts";
import { type HeldRecord, isSharedKind } from "@codehands/sync";
import { type DeviceView, recordsDigest, toBase64url } from "@codehands/vault";
import type { AboutDevice } from "../ports/device-options.ts";
import { seenMarks, type ViewDeps } from "./find-suspicions.ts";

export interface BodyDeps extends ViewDeps {
  about: AboutDevice;
}

/** A device record's body: what V23 asks for, and what other devices show of this one. */
export type DeviceBody = DeviceView & Omit<AboutDevice, "agents"> & { agents: unknown[] };

/** What this device says of itself now. `name` is the one a person gave it. */
export async function newDeviceBody(
  deps: BodyDeps,
  records: readonly HeldRecord[],
  name: string | null,
): Promise<DeviceBody> {
  const { member, facts, about } = deps;
  const { roster, account } = member;
  const { agents, ...self } = about;
  return {
    ...self,
    name: name ?? about.name,
    // What cannot be asked at the moment is not told.
    agents: (await agents?.().catch(() => [])) ?? [],
    incarnation: account.incarnation,
    roster: { seq: roster.seq, hash: toBase64url(roster.hash) },
    seen: await seenMarks(records, facts, member.id),
    digest: await ownDigest(deps, records),
  };
}

/** Over what the cloud has of this device, or gets in the same push: what it refused for good is not there. */
async function ownDigest({ member, facts }: BodyDeps, records: readonly HeldRecord[]): Promise<string> {
  const rows = [];
  for (const record of records) {
    if (record.kind === RECORD_KINDS.device || isSharedKind(record.kind)) continue;
    const known = await (record.blocked === null ? facts.ofHeld(record) : facts.ofBase(record.base));
    if (!known || known.header.writer !== member.id || known.header.deleted) continue;
    rows.push({ kind: record.kind, id: record.id, n: known.header.n, hash: known.hash });
  }
  return recordsDigest(rows);
}

/** The name that a person gave this device, which stands in its record only. */
export function nameOf(held: HeldRecord | null): string | null {
  const body = held?.body ? (JSON.parse(held.body) as { name?: unknown }) : null;
  return typeof body?.name === "string" && body.name !== "" ? body.name : null;
}
