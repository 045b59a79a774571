/** What this package throws; a refusal is an answer instead. */
export type DeviceErrorCode =
  /** A call that needs an account came before there was one. */
  | "no_account"
  /** This place can keep no keys, or they are gone. */
  | "no_keys"
  /** What is stored here cannot be read or written. */
  | "broken_store"
  /** What was asked for has not come yet, or is not to be had. */
  | "not_found"
  /** The command's end is not known: it may or may not have run. */
  | "command_failed"
  /** A person has to decide it. */
  | "agent_may_not"
  /** The cloud knows nothing of this device (any more): it has to be paired again. */
  | "unknown_device"
  /** This device was removed from its account. */
  | "revoked"
  /** Sync stands still until a person acts. */
  | "stopped"
  /** The cloud said no, or something that cannot be. */
  | "refused";

/** The one error of this package. No key, code or token is in its message. */
export class DeviceError extends Error {
  override readonly name = "DeviceError";
  readonly code: DeviceErrorCode;

  constructor(code: DeviceErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
