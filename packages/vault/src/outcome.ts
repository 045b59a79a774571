import { type VaultCode, VaultError } from "./vault-error.ts";

export interface Refused {
  ok: false;
  code: VaultCode;
  /** Codes, numbers and ids only: it may be logged and shown. */
  reason: string;
}

/** What a check of something from outside ends with: a value that may be trusted, or why it may not be. */
export type Outcome<T> = { ok: true; value: T } | Refused;

/** Runs a check and hands its VaultError on as data. Every other error is a fault of ours and stays one. */
export async function outcomeOf<T>(check: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await check() };
  } catch (error) {
    if (error instanceof VaultError) return { ok: false, code: error.code, reason: error.reason };
    throw error;
  }
}
