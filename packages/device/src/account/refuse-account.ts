import type { SignedUp } from "@codehands/api";
import { CloudCallError } from "@codehands/api/cloud-client";
import { explainCode, type Refused, VaultError } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

export type AccountRefusal = Extract<SignedUp, { ok: false }>;

/** A refusal with its sentence for a person. */
export const refuse = (code: AccountRefusal["code"], reason: string): AccountRefusal => ({ ok: false, code, reason });

/** What the vault refused. */
export const refusedByVault = ({ code }: Pick<Refused, "code">): AccountRefusal =>
  refuse(code === "BAD_CODE" ? "bad_code" : "refused", explainCode(code));

const CODES: Readonly<Record<CloudCallError["code"], AccountRefusal["code"]>> = {
  unreachable: "unreachable",
  unavailable: "unreachable",
  internal: "unreachable",
  unauthorized: "wrong_password",
  too_many: "too_many",
  refused: "refused",
  bad_request: "refused",
  too_large: "refused",
};

/** Turns what a call of the cloud or a check failed with into an answer; every other error is a fault and stays one. */
export async function answered<T>(work: () => Promise<T>): Promise<T | AccountRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CloudCallError) return refuse(CODES[error.code], error.message);
    if (error instanceof VaultError) return refusedByVault(error);
    if (error instanceof DeviceError) return refuse("refused", error.message);
    throw error;
  }
}
