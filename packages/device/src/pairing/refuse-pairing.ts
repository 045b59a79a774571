import { CloudCallError } from "@codehands/api/cloud-client";
import { explainCode, VAULT_CODES, VaultError } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

export interface PairingRefusal {
  ok: false;
  code: string;
  reason: string;
  triesLeft?: number;
}

/** A refusal in plain words; `said` is what the other side gave as its reason. */
export function refusePairing(code: string, said?: string): PairingRefusal {
  const known = VAULT_CODES.find((each) => each === code);
  return { ok: false, code, reason: known ? explainCode(known) : (said ?? code) };
}

/** Turns what a step failed with into an answer; every other error is a fault and stays one. */
export async function answeredPairing<T>(work: () => Promise<T>): Promise<T | PairingRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CloudCallError || error instanceof DeviceError)
      return { ok: false, code: error.code, reason: error.message };
    if (error instanceof VaultError) return refusePairing(error.code);
    throw error;
  }
}
