import type { WireEnvelope, WireStatement } from "@codehands/api/cloud";
import { activeDevices, RECOVERY, sealEnvelope } from "@codehands/vault";
import type { DeviceCalls } from "../keys/device-calls.ts";
import type { Membership } from "./membership.ts";
import { readStatement } from "./read-statement.ts";

interface GiveBackDeps {
  member: Membership;
  calls: DeviceCalls;
}

/** How many statements one request takes. */
const MOST = 64;

/**
 * A cloud that was put back has lost the end of the roster: it gets it again, before anything else. Where it takes it not,
 * it holds another end: the caller's next look says which.
 */
export async function giveBackStatements({ member, calls }: GiveBackDeps, head: number): Promise<void> {
  const { statements } = member.account;
  for (let at = head + 1; at < statements.length; at += MOST) {
    const part = statements.slice(at, at + MOST);
    const answer = await calls.call((client) =>
      client.roster.append.mutate({ statements: part, envelopes: [], again: true }),
    );
    if (!answer.ok) return;
  }
}

/** The cloud holds no envelope by which this device could learn the newest root: it lost those of the last statements. */
export function lacksEnvelope(member: Membership, envelopes: readonly WireEnvelope[]): boolean {
  const { roster, account, id } = member;
  const joined = roster.devices.get(id)?.history[0]?.seq ?? 0;
  const needed = Math.max(joined, newestEpochAt(account.statements));
  return !envelopes.some(({ seq }) => seq >= needed);
}

/** An admin who holds all roots hands them out anew, to every member and to the recovery key (V8). */
export async function handOutAnew({ member, calls }: GiveBackDeps): Promise<void> {
  const { roster, roots, id, keys } = member;
  if (!roots || !member.roles.includes("admin")) return;
  const signer = { by: id, privateKey: keys.sign.privateKey };
  const recipients = [...activeDevices(roster).map((device) => device.id), RECOVERY];
  const envelopes: WireEnvelope[] = [];
  for (const to of recipients) envelopes.push(await sealEnvelope({ roster, to, payload: { keys: roots } }, signer));
  await calls.call((client) => client.roster.append.mutate({ statements: [], envelopes }));
}

/** The number of the last statement that began a key epoch. */
const newestEpochAt = (statements: readonly WireStatement[]): number =>
  statements.findLastIndex((statement) => readStatement(statement).ops.some(({ op }) => op === "epoch"));
