import type { CommandState } from "@codehands/api";
import { REFUSAL_CODES, type RefusalCode } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import { type KnownDevice, unknownDevice } from "../replica/read-device.ts";
import { isObject, readObject, textOf } from "../replica/read-json.ts";

/** What the records of a command and its outcome say. */
export type CommandFate = NonNullable<CommandState>;

const FINAL: ReadonlySet<string> = new Set(["done", "refused", "expired", "in_doubt"]);

/** True when nothing more is to come. */
export const isFinal = ({ state }: CommandFate): boolean => state !== "queued" && state !== "delivered";

/**
 * What became of a command: its outcome record says it, and none means that it waits. A command that was taken back says
 * no more whom and what it was for: that is known only as far as its outcome names it.
 */
export function fateOf(
  command: HeldRecord,
  outcome: HeldRecord | null,
  devices: ReadonlyMap<string, KnownDevice>,
): CommandFate {
  const body = readObject(command.body);
  const told = outcome?.deleted ? null : readObject(outcome?.body ?? null);
  const payload = isObject(body?.payload) ? body.payload : null;
  const targetId = textOf(body, "targetDeviceId") ?? outcome?.writer ?? "";
  // Nobody but its target answers a command.
  const answered = outcome !== null && outcome.writer === targetId ? told : null;
  const target = devices.get(targetId) ?? unknownDevice(targetId);
  const code = REFUSAL_CODES.find((known) => known === answered?.code) ?? null;
  return {
    commandId: command.id,
    sessionId: textOf(body, "sessionId"),
    kind: textOf(payload, "kind") ?? "unknown",
    state: stateOf(command, textOf(answered, "state"), code),
    device: { id: target.id, name: target.name },
    lastHeardAt: target.lastHeardAt,
    code,
    reason: textOf(answered, "reason"),
    result: isObject(answered?.result) ? answered.result : null,
  };
}

function stateOf(command: HeldRecord, told: string | null, code: RefusalCode | null): CommandFate["state"] {
  // S32: what was taken back before it ran is answered by a refusal without a reason of its own, or not at all.
  if (command.deleted && (told === null || (told === "refused" && code === null))) return "withdrawn";
  if (told !== null && FINAL.has(told)) return told as CommandFate["state"];
  return told === "claimed" ? "delivered" : "queued";
}
