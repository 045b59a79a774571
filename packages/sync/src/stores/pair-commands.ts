import { RECORD_KINDS } from "@codehands/contracts";
import { fieldOf, isOpenCommand } from "../commands/decide-outcome.ts";
import type { HeldRecord } from "../ports/held-record.ts";
import type { CommandView } from "../ports/store.ts";

export interface CommandRows {
  deviceId: string;
  /** Records of kind command and outcome. */
  records: Iterable<HeldRecord>;
  /** What was taken on, by command id: its outcome, or null while it works. */
  applied: ReadonlyMap<string, string | null>;
}

/**
 * The commands for this device that may need an answer, the oldest first. A withdrawn command says no more whom it was
 * for: its outcome does.
 */
export function pairCommands({ deviceId, records, applied }: CommandRows): CommandView[] {
  const commands: HeldRecord[] = [];
  const outcomes = new Map<string, HeldRecord>();
  for (const record of records)
    if (record.kind === RECORD_KINDS.command) commands.push(record);
    else if (record.kind === RECORD_KINDS.outcome) outcomes.set(record.id, record);
  return commands
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((command) => {
      const outcome = outcomes.get(command.id) ?? null;
      const mark = applied.get(command.id);
      const view: CommandView = { command, outcome, ...(mark === undefined ? {} : { applied: mark }) };
      const isOurs = fieldOf(command.body, "targetDeviceId") === deviceId || outcome?.writer === deviceId;
      return isOurs && isOpenCommand(view) ? [view] : [];
    });
}
