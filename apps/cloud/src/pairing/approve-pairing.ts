import type { ApprovePairing, DeviceCaller, PairingStep } from "@codehands/api/cloud";
import { applyPairing } from "@codehands/vault";
import { appendInside } from "../roster/append-roster.ts";
import { lockAccount } from "../roster/store-statement.ts";
import { uuidOfBytes } from "../roster/uuid-of-bytes.ts";
import type { PairingDeps } from "./pairing-port.ts";
import { EXPIRED } from "./pairing-refusals.ts";
import { factsOf, findPairing, writePairing } from "./pairing-rows.ts";

type Refusal = Extract<PairingStep, { ok: false }>;

/** Undoes the transaction and carries the answer out of it. */
class Undo extends Error {
  readonly answer: Refusal;
  constructor(answer: Refusal) {
    super(answer.code);
    this.answer = answer;
  }
}

const refuse = (code: Refusal["code"], reason: string): Undo => new Undo({ ok: false, code, reason });

/** The new device's statement and envelope, and the state of the pairing: one transaction (V29, step 9). */
export async function approvePairing(
  { sql, rosters }: Pick<PairingDeps, "sql" | "rosters">,
  device: DeviceCaller,
  { pairingId, statement, envelope }: ApprovePairing,
): Promise<PairingStep> {
  const step = { step: "approve", accountId: device.accountId, by: device.deviceId } as const;
  try {
    return await sql.begin(async (tx): Promise<PairingStep> => {
      const row = await findPairing(tx, { id: pairingId }, true);
      if (row === null || row.account_id !== device.accountId) throw new Undo(EXPIRED);
      await lockAccount(tx, device.accountId);
      const before = await rosters.read(device.accountId, tx);
      const change = applyPairing(factsOf(row), step, 0);
      if (!change.ok)
        throw refuse(change.code === "NOT_ALLOWED" ? "NOT_ALLOWED" : "CONFLICT", "It is not at this step.");
      const append = { statements: [statement], envelopes: [envelope] };
      const appended = await appendInside(tx, { rosters, caller: device }, append);
      if (!appended.ok) {
        const conflict = appended.code === "CONFLICT";
        throw refuse(
          conflict ? "CONFLICT" : "NOT_ALLOWED",
          `The roster refused it (${appended.code}). ${appended.reason}`,
        );
      }
      const recipient = uuidOfBytes(envelope.to);
      if (before?.devices.has(recipient) ?? true) throw refuse("NOT_ALLOWED", "The statement lets no new device in.");
      await tx`
        insert into pairing_approvals (pairing_id, seq, recipient) values (${pairingId}, ${appended.seq}, ${recipient})`;
      if (!(await writePairing(tx, row, change.row))) throw refuse("CONFLICT", "It is not at this step.");
      return { ok: true };
    });
  } catch (error) {
    if (error instanceof Undo) return error.answer;
    throw error;
  }
}
