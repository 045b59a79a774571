import { type DeviceKeys, newRecoveryCode, readRecoveryCode, recoveryKeys } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

/** A recovery code and its keys. */
export interface MadeCode {
  code: string;
  keys: DeviceKeys;
}

/** A fresh recovery code and its keys. The code is shown once and stored nowhere (V34). */
export async function makeCode(): Promise<MadeCode> {
  const code = await newRecoveryCode();
  const secret = await readRecoveryCode(code);
  if (!secret.ok) throw new DeviceError("refused", "A recovery code was made that cannot be read.");
  return { code, keys: await recoveryKeys(secret.value) };
}
