import type { CommandFate } from "./command-fate.ts";

/** As many as are listed of what was sent. */
const MOST = 100;

/**
 * What the commands were that this process took back: a deletion is sealed without a body (V15), so neither its record
 * nor its outcome tells it. Another process of this device no longer knows.
 */
export class WithdrawnMemory {
  readonly #fates = new Map<string, CommandFate>();

  /** Keeps a command as it was before it was taken back, and tells it as withdrawn. The oldest is forgotten. */
  keep(before: CommandFate): CommandFate {
    const fate: CommandFate = { ...before, state: "withdrawn" };
    this.#fates.set(fate.commandId, fate);
    const [oldest] = this.#fates.keys();
    if (this.#fates.size > MOST && oldest !== undefined) this.#fates.delete(oldest);
    return fate;
  }

  /** A withdrawn command with its kind, session and device, where they are known; any other fate as it is. */
  complete<T extends CommandFate | null>(fate: T): T {
    const kept = fate?.state === "withdrawn" ? this.#fates.get(fate.commandId) : undefined;
    if (!fate || !kept) return fate;
    const { kind, sessionId, device, lastHeardAt } = kept;
    return { ...fate, kind, sessionId, device, lastHeardAt };
  }
}
