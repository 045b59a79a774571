import type { WireStatement } from "@codehands/api/cloud";
import type { TransactionSql } from "postgres";
import { isCutOff } from "../devices/device-rows.ts";

/** Which seq a statement says it has; its signature was not looked at. */
export function seqOf({ body }: WireStatement): number {
  const json: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  const seq = typeof json === "object" && json !== null && "seq" in json ? Number(json.seq) : 0;
  return Number.isSafeInteger(seq) ? Math.max(0, seq) : 0;
}

/** True when the recovery key signed it. */
export const signedByRecovery = ({ sigs }: WireStatement): boolean => sigs.some(({ by }) => by === "recovery");

/** True when a device that was cut off here signed it, whoever hands it in. */
export async function signedByCutOff(tx: TransactionSql, accountId: string, { sigs }: WireStatement): Promise<boolean> {
  for (const { by } of sigs) if (by !== "recovery" && (await isCutOff(tx, accountId, by))) return true;
  return false;
}
