import type { PairingStep as Answer } from "@codehands/api/cloud";
import { applyPairing, type PairingStep } from "@codehands/vault";
import type { Sql } from "postgres";
import { EXPIRED } from "./pairing-refusals.ts";
import { factsOf, findPairing, type PairingName, type StoredPairing, writePairing } from "./pairing-rows.ts";

/** What to do with a pairing: a step, nothing because it is done already, or nothing because it is not the caller's. */
type Plan = (row: StoredPairing) => PairingStep | "done" | "hidden";

/** Takes one step of a pairing, which the law of pairing allows or not (V32). One of many parallel steps wins. */
export async function stepPairing(sql: Sql, name: PairingName, plan: Plan): Promise<Answer> {
  return sql.begin(async (tx): Promise<Answer> => {
    const row = await findPairing(tx, name, true);
    if (row === null) return EXPIRED;
    const step = plan(row);
    if (step === "done") return { ok: true };
    if (step === "hidden") return EXPIRED;
    const change = applyPairing(factsOf(row), step, 0);
    if (!change.ok) return refusalOf(change.code);
    return (await writePairing(tx, row, change.row)) ? { ok: true } : refusalOf("CONFLICT");
  });
}

function refusalOf(code: string): Extract<Answer, { ok: false }> {
  if (code === "PAIR_EXPIRED") return EXPIRED;
  if (code === "NOT_ALLOWED")
    return { ok: false, code, reason: "Another device has answered this pairing. Start again on the new device." };
  return { ok: false, code: "CONFLICT", reason: "This pairing is not at this step. Start again on the new device." };
}
