import type {
  ApprovePayload,
  Command,
  CommandOutcome,
  CommandPayload,
  OutcomeState,
  RefusalCode,
} from "@codehands/contracts";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import { commands } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type CommandRow = Omit<typeof commands.$inferSelect, "state"> & { state: OutcomeState };

/** How a command ended. `result` holds what it brought, or for a refusal `{next}`: the command that helps. */
export interface Ending {
  state: Exclude<OutcomeState, "claimed">;
  code?: RefusalCode;
  reason?: string;
  result?: Record<string, unknown> | null;
}

/** Stores a command as claimed by this boot. The id must be new: whoever calls has looked for it in this transaction. */
export function insertCommand(tx: Tx, command: Command, claim: { boot: string; at: string }): void {
  tx.store.db
    .insert(commands)
    .values({
      id: command.id,
      sessionId: command.sessionId,
      targetDevice: command.targetDeviceId,
      senderDevice: command.senderDeviceId,
      kind: command.payload.kind,
      payload: JSON.stringify(command.payload),
      expects: JSON.stringify(command.expects),
      incarnation: command.incarnation,
      at: command.at,
      receivedAt: claim.at,
      state: "claimed",
      boot: claim.boot,
    })
    .run();
}

/** Stores the answer to a claimed command. An answer once given never changes. */
export function endCommand(tx: Tx, id: string, ending: Ending): void {
  tx.store.db
    .update(commands)
    .set({
      state: ending.state,
      code: ending.code ?? null,
      reason: ending.reason ?? null,
      result: ending.result == null ? null : JSON.stringify(ending.result),
      rev: sql`${commands.rev} + 1`,
      dirty: "edit",
    })
    .where(and(eq(commands.id, id), eq(commands.state, "claimed")))
    .run();
}

/** Puts what a start was resolved to in place of what its sender left open. */
export function resolvePayload(tx: Tx, id: string, payload: CommandPayload): void {
  tx.store.db
    .update(commands)
    .set({ payload: JSON.stringify(payload) })
    .where(eq(commands.id, id))
    .run();
}

/** The answers of commands by id, as the records of outcomes hold them: null for one that is being carried out. */
export function outcomeTexts(store: OpenDatabase, ids: readonly string[]): Map<string, string | null> {
  const texts = new Map<string, string | null>();
  for (const id of ids) {
    const row = readCommand(store, id);
    if (row === undefined) continue;
    const { state, boot, code, reason, result } = outcomeOf(row);
    texts.set(id, state === "claimed" ? null : JSON.stringify({ state, boot, code, reason, result }));
  }
  return texts;
}

/** One command with its answer so far. */
export function readCommand(store: OpenDatabase, id: string): CommandRow | undefined {
  return store.db.select().from(commands).where(eq(commands.id, id)).get() as CommandRow | undefined;
}

/** Commands that were claimed and never answered, in the order they came. */
export function claimedCommands(store: OpenDatabase): CommandRow[] {
  return store.db
    .select()
    .from(commands)
    .where(eq(commands.state, "claimed"))
    .orderBy(sql`rowid`)
    .all() as CommandRow[];
}

/**
 * When the first approval of this tree with these words was received that may have landed its commit already (ISO
 * time); null when there was none. An approval that is asked for again takes the same time and so makes the same commit.
 */
export function firstApprovalAt(store: OpenDatabase, sessionId: string, approval: ApprovePayload): string | null {
  const rows = store.db
    .select({ payload: commands.payload, receivedAt: commands.receivedAt })
    .from(commands)
    .where(
      and(
        eq(commands.sessionId, sessionId),
        eq(commands.kind, "approve"),
        inArray(commands.state, ["claimed", "in_doubt"]),
      ),
    )
    .orderBy(sql`rowid`)
    .all();
  const same = rows.find((row) => {
    const earlier = payloadOf(row);
    return earlier?.kind === "approve" && earlier.treeId === approval.treeId && earlier.message === approval.message;
  });
  return same?.receivedAt ?? null;
}

/** The payload of the command that made a session; null when it is missing or not readable. */
export function startPayloadOf(store: OpenDatabase, sessionId: string): (CommandPayload & { kind: "start" }) | null {
  const found = store
    .prepare("select payload from commands where session_id = ? and kind = 'start' and state = 'done' order by rowid")
    .pluck()
    .get(sessionId) as string | undefined;
  const payload = found === undefined ? null : payloadOf({ payload: found });
  return payload?.kind === "start" ? payload : null;
}

/** A stored payload, as this device wrote it; null when it is not readable. */
export function payloadOf(row: { payload: string }): CommandPayload | null {
  const json = readJson(row.payload);
  return json.ok && isRecord(json.value) && typeof json.value.kind === "string"
    ? (json.value as unknown as CommandPayload)
    : null;
}

/** The stored answer of a command. */
export function outcomeOf(row: CommandRow): CommandOutcome {
  const json = readJson(row.result);
  return {
    id: row.id,
    state: row.state,
    boot: row.boot,
    code: row.code as RefusalCode | null,
    reason: row.reason,
    result: json.ok && isRecord(json.value) ? json.value : null,
  };
}
