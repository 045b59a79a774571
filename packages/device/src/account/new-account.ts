import type { WireStatement } from "@codehands/api/cloud";
import { newIncarnation, originOf, type RecordMark, toBase64url } from "@codehands/vault";
import type { StoredAccount } from "../ports/account-store.ts";

/** An account as this device begins to remember it. */
export function newAccount(joined: {
  cloudUrl: string;
  email: string | null;
  vault: Uint8Array;
  deviceId: string;
  statements: readonly unknown[];
  inherited?: Record<string, RecordMark>;
}): StoredAccount {
  const { cloudUrl, email, vault, deviceId, statements, inherited = {} } = joined;
  return {
    cloudUrl: originOf(cloudUrl),
    email,
    vault: toBase64url(vault),
    deviceId,
    incarnation: newIncarnation(),
    statements: [...statements] as WireStatement[],
    lastN: 0,
    inherited,
    paused: false,
    acknowledged: [],
    stopped: null,
  };
}
