import type { SentCommand } from "@codehands/api";
import { RECORD_KINDS } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { readDevices } from "../replica/read-device.ts";
import { readObject, textOf } from "../replica/read-json.ts";
import { fateOf } from "./command-fate.ts";

const SHOWN_MS = 7 * 86_400_000;
const MOST = 100;

/** What this device sent to others in the last 7 days, the newest first. */
export async function sentCommands({ store, me, clock }: ReplicaDeps): Promise<SentCommand[]> {
  const own = me()?.deviceId;
  const since = Date.parse(clock()) - SHOWN_MS;
  const sent = (await store.recordsOf(RECORD_KINDS.command))
    .filter(({ writer }) => writer === own)
    .map((command) => ({ command, at: sentAt(command) }))
    .filter(({ at }) => at >= since)
    .sort((a, b) => b.at - a.at || (a.command.id < b.command.id ? 1 : -1))
    .slice(0, MOST);
  if (sent.length === 0) return [];
  const outcomes = new Map((await store.recordsOf(RECORD_KINDS.outcome)).map((record) => [record.id, record]));
  const devices = await readDevices(store);
  return sent.map(({ command }) => fateOf(command, outcomes.get(command.id) ?? null, devices));
}

/** A command that was taken back says no more when it was sent: then it is when the cloud received that. */
function sentAt({ body, base }: HeldRecord): number {
  const at = Date.parse(textOf(readObject(body), "at") ?? base?.receivedAt ?? "");
  return Number.isNaN(at) ? 0 : at;
}
