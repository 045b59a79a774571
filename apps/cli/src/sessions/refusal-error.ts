import type { RefusalCode } from "@codehands/contracts";
import { CliError } from "../cli-error.ts";
import { REFUSAL_EXIT } from "../exit-code.ts";
import { isCommand } from "../program/all-commands.ts";
import type { CommandAnswer } from "../wire-types.ts";

type Refusal = Pick<Extract<CommandAnswer, { ok: false }>, "code" | "reason" | "next">;

const WITHOUT_SESSION = new Set(["ls", "clean", "doctor"]);
const HELPING: Readonly<Partial<Record<RefusalCode, string>>> = {
  secret_in_change: "approve {} --allow-secrets",
  large_file: "approve {} --allow-large",
  tree_shrunk: "approve {} --allow-shrunk",
  nested_repo: "approve {} --absorb-nested",
  nothing_to_approve: "reject {}",
};

/** A refused command as the error a person reads. `name` is how they name the session; null when there is none. */
export function refusalError(refusal: Refusal, name: string | null): CliError {
  const { code, reason, next } = refusal;
  return new CliError({
    code,
    exitCode: REFUSAL_EXIT[code],
    message: sentence(reason),
    hint: hintFor(code, next, name),
  });
}

function sentence(reason: string): string {
  const text = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return /[.?!)]$/.test(text) ? text : `${text}.`;
}

/** The command line that helps after a refusal: only commands that exist. */
export function hintFor(code: RefusalCode, next: string | null, name: string | null): string | null {
  const helping = HELPING[code];
  if (helping !== undefined && name !== null) return `codehands ${helping.replace("{}", name)}`;
  if (next === null) return null;
  const command = isCommand(next) ? next : "show";
  if (WITHOUT_SESSION.has(command)) return `codehands ${command}`;
  return name === null ? null : `codehands ${command} ${name}`;
}
