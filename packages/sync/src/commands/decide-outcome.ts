import type { CommandView } from "../ports/store.ts";

/** How long a command waits for a device that is away: 24 hours, by the cloud's clock alone. */
export const COMMAND_LIFE_MS = 86_400_000;

export type OutcomeState = "claimed" | "done" | "refused" | "expired" | "in_doubt";

export interface OutcomeContext {
  deviceId: string;
  boot: string;
  cursor: number;
  /** The cloud's clock in its last page, milliseconds. */
  now: number;
}

export type OutcomeDecision =
  | { do: "nothing" }
  /** A new outcome of this process. */
  | { do: "write"; state: "claimed" | "expired" | "in_doubt" | "refused" }
  /** The outcome that is known here, once more (S31). */
  | { do: "write-again"; body: string }
  /** Take the command on, in one transaction (S29). */
  | { do: "accept" };

const FINAL: ReadonlySet<string> = new Set(["done", "refused", "expired", "in_doubt"]);
const NOTHING: OutcomeDecision = { do: "nothing" };

/** Table T5: a command for this device, at head. A command's state is its outcome record; none means pending. */
export function decideOutcome({ command, outcome, applied }: CommandView, context: OutcomeContext): OutcomeDecision {
  const state = outcome ? stateOf(outcome.body) : null;
  // It was for the id that this copy had before (S3).
  if (outcome && outcome.writer !== context.deviceId) return NOTHING;
  if (applied !== undefined) {
    if (applied === null || state === "done") return NOTHING;
    return state === stateOf(applied) ? NOTHING : { do: "write-again", body: applied };
  }
  if (!outcome) return command.deleted ? NOTHING : begin(command.base?.receivedAt, context.now);
  if (state !== "claimed") return NOTHING;
  if (bootOf(outcome.body) !== context.boot) {
    const unsent = outcome.dirty === "edit" && !outcome.base;
    return { do: "write", state: unsent ? "claimed" : "in_doubt" };
  }
  // The cursor has passed the claim: a withdrawal that came before it is known now.
  if (outcome.dirty || !outcome.base || outcome.base.version > context.cursor) return NOTHING;
  return command.deleted ? { do: "write", state: "refused" } : { do: "accept" };
}

/** S32: a command is too old when the cloud's own two numbers say so. */
function begin(receivedAt: string | undefined, now: number): OutcomeDecision {
  const old = receivedAt !== undefined && now - Date.parse(receivedAt) > COMMAND_LIFE_MS;
  return { do: "write", state: old ? "expired" : "claimed" };
}

/** True when T5 may still have something to do: a store may leave all others out. */
export function isOpenCommand({ command, outcome, applied }: CommandView): boolean {
  const state = outcome ? stateOf(outcome.body) : null;
  if (applied !== undefined) return applied !== null && state !== "done" && state !== stateOf(applied);
  if (!outcome) return !command.deleted;
  return state === null || !FINAL.has(state);
}

/** The state that an outcome's JSON names; null when it names none. */
export function stateOf(body: string | null): string | null {
  return fieldOf(body, "state");
}
const bootOf = (body: string | null): string | null => fieldOf(body, "boot");

/** A text field of a JSON object; null when it is none. */
export function fieldOf(body: string | null, name: string): string | null {
  if (body === null) return null;
  try {
    const value = (JSON.parse(body) as Record<string, unknown> | null)?.[name];
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
