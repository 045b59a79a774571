import type { CommandAuthority, JudgedSession } from "@codehands/client";
import { CHAIN_START, type HeldRecord } from "@codehands/client/store";
import { type Command, REFUSAL_CODES, type RefusalCode } from "@codehands/contracts";
import { type CommandRow, endCommand, insertCommand, outcomeTexts, readCommand } from "../commands/command-rows.ts";
import { type Claim, enqueueIn } from "../commands/enqueue.ts";
import { readCommandBody } from "../commands/read-command.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import type { Tx } from "../database/transaction.ts";
import { chainValueAt } from "../sessions/event-log.ts";
import { readSession } from "../sessions/session-rows.ts";
import { readLog } from "./log-rows.ts";

/** How the sync's store meets the commands of this device. All but `afterCommit` run inside the store's transactions. */
export interface CommandDoor {
  /** The outcomes of the commands that were taken on: JSON of what is answered, null while it works. */
  applied(store: OpenDatabase, ids: readonly string[]): ReadonlyMap<string, string | null>;
  /** False: not now. The command is neither claimed nor taken on, and asked about again later. */
  ready(store: OpenDatabase, record: HeldRecord): boolean;
  /** S29: takes a command on. */
  accept(tx: Tx, record: HeldRecord): void;
  /** What was taken on is committed. */
  afterCommit(): void;
}

export interface CommandDoorDeps {
  /** Null while this device has no keys. */
  authority: () => CommandAuthority | null;
  claim: () => Claim;
  /** Acts on what was taken on, in the session's lane. */
  obey: (row: CommandRow) => void;
  crashPoint: (name: string) => void | Promise<void>;
}

/**
 * Commands of other devices: whether this one obeys is decided in the transaction that takes the command on, by the
 * same table as at home; what it means is done after the commit (V27).
 */
export function createCommandDoor(deps: CommandDoorDeps): CommandDoor {
  const taken: { store: OpenDatabase; id: string }[] = [];
  return {
    applied: outcomeTexts,
    ready(store, record) {
      const read = readCommandBody(record.body);
      if (!read.ok) return true;
      const verdict = judge(store, deps.authority(), { record, command: read.command });
      return verdict.ok || !verdict.wait;
    },
    accept(tx, record) {
      const { store } = tx;
      if (readCommand(store, record.id) !== undefined) return;
      const read = readCommandBody(record.body);
      const claim = deps.claim();
      void deps.crashPoint("remote.accept");
      if (!read.ok) {
        refuse(tx, { command: unreadable(record), claim }, { code: "not_allowed", reason: read.reason });
        return;
      }
      const { command } = read;
      const verdict = judge(store, deps.authority(), { record, command });
      if (verdict.ok) enqueueIn(tx, { command, claim });
      // Asked in this transaction already: it does not wait.
      else refuse(tx, { command, claim }, { code: codeOf(verdict), reason: verdict.reason });
      taken.push({ store, id: record.id });
    },
    afterCommit() {
      for (const { store, id } of taken.splice(0)) {
        const row = readCommand(store, id);
        if (row !== undefined) deps.obey(row);
      }
    },
  };
}

type Verdict = ReturnType<CommandAuthority["judge"]>;

function judge(
  store: OpenDatabase,
  authority: CommandAuthority | null,
  { record, command }: { record: HeldRecord; command: Command },
): Verdict {
  if (authority === null) return { ok: false, wait: true, reason: "This device has no keys now." };
  return authority.judge(record, command, command.sessionId === null ? null : judgedSession(store, command.sessionId));
}

function judgedSession(store: OpenDatabase, sessionId: string): JudgedSession | null {
  const session = readSession(store, sessionId);
  if (session === undefined) return null;
  const { status, treeId, rev } = session;
  const last = readLog(store, sessionId)?.lastSeq ?? 0;
  return {
    status,
    treeId,
    rev,
    chainAt: (seq) => (seq === 0 ? CHAIN_START : seq > last ? null : chainValueAt(store, sessionId, seq)),
  };
}

function codeOf(verdict: Exclude<Verdict, { ok: true }>): RefusalCode {
  const code = verdict.wait ? null : REFUSAL_CODES.find((known) => known === verdict.code);
  return code ?? "not_allowed";
}

function refuse(
  tx: Tx,
  { command, claim }: { command: Command; claim: Claim },
  { code, reason }: { code: RefusalCode; reason: string },
): void {
  insertCommand(tx, command, claim);
  endCommand(tx, command.id, { state: "refused", code, reason, result: { next: "show" } });
}

/** A row for a command that says nothing we understand, so that it is answered once and for all. */
function unreadable({ id, writer, body }: HeldRecord): Command {
  return {
    id,
    sessionId: null,
    targetDeviceId: "",
    senderDeviceId: writer,
    payload: { kind: "unknown", bytes: body?.length ?? 0 } as unknown as Command["payload"],
    expects: { status: [] },
    incarnation: null,
    at: "",
  };
}
