import type { Keyring } from "../keys/keyring.ts";
import type { RandomBytes, WebKey } from "../primitives/web-crypto.ts";
import type { Roster } from "../roster/roster.ts";
import type { Ports } from "./ports.ts";

/** What opening needs. */
export interface ReadAccess {
  /** As pulled in this same round. */
  roster: Roster;
  keys: Keyring;
  ports?: Partial<Ports>;
}

/** What sealing needs besides: whose it is. */
export interface WriteAccess extends ReadAccess {
  device: string;
  signKey: WebKey;
  /** The platform's own when absent. */
  random?: RandomBytes;
  /** False keeps lengths from telling what compresses well together (`sync.compress`). */
  compress?: boolean;
}

/** True when this device holds the root of the newest epoch. Without it nothing may be sealed: KEY_MISSING (V12). */
export const canSeal = ({ roster, keys }: ReadAccess): boolean => keys.has(roster.epoch);
