import type { CommandAnswer, CommandState, LocalPorts, SentCommand } from "@codehands/api";

/** Commands that were sent to another device, which answers when a test says so. */
export class SentCommands {
  readonly all: SentCommand[] = [];
  /** Called at each look at a command, so that a test can let its owner answer. */
  onLook: (command: SentCommand) => void = () => undefined;
  readonly ports: Pick<LocalPorts["sessions"], "commandState" | "withdraw" | "sentCommands"> = {
    commandState: async (id) => {
      const found = this.#find(id);
      if (found !== null) this.onLook(found);
      return found;
    },
    withdraw: async (id) => {
      const found = this.#find(id);
      if (found !== null && found.state === "queued") found.state = "withdrawn";
      // Its body is gone: nothing says any more what it was for.
      return found?.state === "withdrawn" ? { ...found, kind: "unknown", sessionId: null } : found;
    },
    sentCommands: async () => this.all,
  };

  /** Keeps a command as sent, and gives the answer of a device that cannot say more yet. */
  send(command: Pick<SentCommand, "commandId" | "sessionId" | "kind" | "device">): CommandAnswer {
    const known = this.#find(command.commandId);
    const lastHeardAt = "2026-01-02T01:10:00.000Z";
    const sent = known ?? { ...command, state: "queued", lastHeardAt, code: null, reason: null, result: null };
    if (known === null) this.all.unshift(sent);
    const { commandId, device } = sent;
    return { ok: true, session: null, result: null, pending: { commandId, device, lastHeardAt, state: "queued" } };
  }

  #find(id: string): CommandState {
    return this.all.find((one) => one.commandId === id) ?? null;
  }
}
