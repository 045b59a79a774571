import { explainCode, type Refused, VAULT_CODES, type VaultCode } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";

/** What a person has to look at before anything goes on; everything held here is kept. */
const STOPS: ReadonlySet<VaultCode> = new Set(["VAULT_CHANGED", "EQUIVOCATION", "ROLLBACK", "UNKNOWN_FORMAT"]);

/** Sync stands still: the cloud shows what can be no honest cloud's, or what this version cannot read (V9). */
export class StopError extends DeviceError {
  readonly vaultCode: VaultCode;

  constructor(vaultCode: VaultCode) {
    super("stopped", explainCode(vaultCode));
    this.vaultCode = vaultCode;
  }
}

/** The fault for a refusal of the vault: it stops for good, or is tried again. */
export const refusedRoster = ({ code, reason }: Refused): DeviceError =>
  STOPS.has(code) ? new StopError(code) : new DeviceError("refused", `${explainCode(code)} (${code}: ${reason})`);

/** The words for a stored stop; the code itself when it is none of this version's. */
export function explainStop(code: string): string {
  const known = VAULT_CODES.find((each) => each === code);
  return known ? explainCode(known) : code;
}
