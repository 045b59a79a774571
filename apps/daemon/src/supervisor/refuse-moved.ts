import { type CommandKind, decideCommand } from "@codehands/contracts";
import type { CommandRow } from "../commands/command-rows.ts";
import type { SessionRow } from "../sessions/session-rows.ts";
import { finish, type Supervision } from "./supervision.ts";

/** Refuses a command whose session has moved on since it was claimed, by the same table that admitted it. */
export function refuseMoved(s: Supervision, row: CommandRow, session: SessionRow): void {
  const kind = row.kind as Exclude<CommandKind, "clean">;
  const decision = decideCommand(session, { kind });
  const { code, reason, next } = decision.ok
    ? ({ code: "illegal_move", reason: `Session ${session.id.slice(0, 4)} moved on meanwhile.`, next: "show" } as const)
    : decision;
  finish(s, row, { ending: { state: "refused", code, reason, result: { next } } });
}
