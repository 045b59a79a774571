import type { AccountCaller, RosterAppend, RosterAppended, WireEnvelope, WireStatement } from "@codehands/api/cloud";
import { checkAppend, foldRoster, type Outcome, type Roster } from "@codehands/vault";
import type { Sql, TransactionSql } from "postgres";
import { planLateEnvelopes } from "./plan-late-envelopes.ts";
import { type RosterStore, readStatements } from "./roster-store.ts";
import { seqOf, signedByCutOff, signedByRecovery } from "./statement-facts.ts";
import { lockAccount, storeEnvelopes, storeStatement } from "./store-statement.ts";

export interface AppendDeps {
  sql: Sql;
  rosters: RosterStore;
}

type Refusal = Extract<RosterAppended, { ok: false }>;

/** How many newer statements come with a CONFLICT. */
const NEWER = 100;
const APPEND_CODES: readonly string[] = [
  "CONFLICT",
  "BAD_FORMAT",
  "BAD_KEY",
  "BAD_SIGNATURE",
  "BAD_ROSTER",
  "UNKNOWN_FORMAT",
  "TOO_LARGE",
  "NOT_ALLOWED",
  "KEY_MISSING",
] satisfies Refusal["code"][];

/** Undoes the transaction and carries the answer out of it. */
class Undo extends Error {
  readonly answer: Refusal;
  constructor(answer: Refusal) {
    super(answer.code);
    this.answer = answer;
  }
}

const refusal = (code: string, reason: string, newer: WireStatement[] = []): Refusal => ({
  ok: false,
  code: (APPEND_CODES.includes(code) ? code : "BAD_ROSTER") as Refusal["code"],
  reason,
  newer,
});

/** Appends statements with their envelopes, all or none of them, in one transaction (V8). */
export async function appendRoster(
  deps: AppendDeps,
  caller: AccountCaller,
  append: RosterAppend,
): Promise<RosterAppended> {
  try {
    return await deps.sql.begin(async (tx) => {
      await lockAccount(tx, caller.accountId);
      const appended = await appendInside(tx, { ...deps, caller }, append);
      if (!appended.ok) throw new Undo(appended);
      return appended;
    });
  } catch (error) {
    if (error instanceof Undo) return error.answer;
    // A vault belongs to the account that founded it, and to no other.
    if (error instanceof Error && "code" in error && error.code === "23505")
      return refusal("BAD_ROSTER", "This vault belongs to another account of this cloud.");
    throw error;
  }
}

/** The same inside a transaction that holds the account's lock. Throws nothing that is not a fault. */
export async function appendInside(
  tx: TransactionSql,
  { rosters, caller }: { rosters: RosterStore; caller: AccountCaller },
  { statements, envelopes, again }: RosterAppend,
): Promise<RosterAppended> {
  const { accountId } = caller;
  let roster = await rosters.read(accountId, tx);
  if (statements.length === 0) {
    if (roster === null) return refusal("BAD_ROSTER", "There is no vault yet.");
    const late = planLateEnvelopes(roster, caller, envelopes);
    if (late !== null) return refusal(late.code, late.reason);
    await storeEnvelopes(tx, accountId, envelopes);
    return { ok: true, vault: Buffer.from(roster.vault).toString("base64url"), seq: roster.seq };
  }
  for (const statement of statements) {
    const seq = (roster?.seq ?? -1) + 1;
    const own = envelopes.filter((envelope) => envelope.seq === seq);
    const next = await extend(roster, { statement, envelopes: own, again: again === true });
    if (!next.ok)
      return refusal(next.code, next.reason, await newerThan(tx, { accountId, code: next.code, statement }));
    if (await signedByCutOff(tx, accountId, statement))
      return refusal("NOT_ALLOWED", "The device that signed this was cut off.");
    if (caller.kind === "login" && roster !== null && !signedByRecovery(statement))
      return refusal("NOT_ALLOWED", "A login may found a vault or use its recovery code, nothing else.");
    roster = next.value;
    await storeStatement(tx, accountId, { statement, roster });
    await storeEnvelopes(tx, accountId, own);
  }
  const last = roster?.seq ?? -1;
  if (envelopes.some(({ seq }) => seq > last || seq <= last - statements.length))
    return refusal("BAD_ROSTER", "An envelope belongs to none of these statements.");
  return { ok: true, vault: Buffer.from(roster?.vault ?? []).toString("base64url"), seq: last };
}

async function extend(
  roster: Roster | null,
  { statement, envelopes, again }: { statement: WireStatement; envelopes: WireEnvelope[]; again: boolean },
): Promise<Outcome<Roster>> {
  // What this cloud had once accepted; an admin makes the envelopes anew.
  if (again && envelopes.length === 0) return foldRoster([statement], roster);
  // The context stands beside an envelope, not in it.
  const plain = envelopes.map(({ v, to, seq, by, enc, ct, sig }) => ({ v, to, seq, by, enc, ct, sig }));
  const checked = await checkAppend(roster, { statement, envelopes: plain });
  return checked.ok ? { ok: true, value: checked.value.roster } : checked;
}

/** The statements that came first, for a client that folds them and decides again. */
async function newerThan(
  tx: TransactionSql,
  { accountId, code, statement }: { accountId: string; code: string; statement: WireStatement },
): Promise<WireStatement[]> {
  if (code !== "CONFLICT") return [];
  const after = seqOf(statement) - 1;
  const rows = await readStatements(tx, { accountId, after, limit: NEWER });
  return rows.map((row) => row.statement);
}
