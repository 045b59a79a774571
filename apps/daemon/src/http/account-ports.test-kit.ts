import { type LocalPorts, SIGNED_OUT, SYNC_OFF } from "@codehands/api";

/** The ports of the account on a device that is not signed in; `note` keeps the names of the calls. */
export function accountPorts(
  note: <T>(name: string, value: T) => Promise<T>,
): Pick<LocalPorts, "account" | "pair" | "devices" | "sync"> {
  const refused = { ok: false as const, code: "not_signed_in" as const, reason: "kept" };
  const dead = { state: "dead" as const, code: "PAIR_EXPIRED", reason: "kept" };
  return {
    account: {
      status: () => note("account.status", SIGNED_OUT),
      signUp: () => note("account.signUp", refused),
      logIn: () => note("account.logIn", refused),
      logOut: () => note("account.logOut", { ok: true as const, notes: [] }),
      recover: () => note("account.recover", refused),
      renewCode: () => note("account.renewCode", refused),
    },
    pair: {
      begin: () => note("pair.begin", refused),
      state: () => note("pair.state", dead),
      accept: () => note("pair.accept", dead),
      lookUp: () => note("pair.lookUp", refused),
      invite: () => note("pair.invite", refused),
      invited: () => note("pair.invited", dead),
      offered: () => note("pair.offered", dead),
      approve: () => note("pair.approve", refused),
      cancel: () => note("pair.cancel", undefined),
    },
    devices: {
      list: () => note("devices.list", { devices: [] }),
      rename: () => note("devices.rename", refused),
      revoke: () => note("devices.revoke", refused),
      fingerprint: () => note("devices.fingerprint", null),
    },
    sync: {
      status: () => note("sync.status", SYNC_OFF),
      now: () => note("sync.now", SYNC_OFF),
      pause: () => note("sync.pause", SYNC_OFF),
      resume: () => note("sync.resume", SYNC_OFF),
      reset: () => note("sync.reset", SYNC_OFF),
      acknowledge: () => note("sync.acknowledge", SYNC_OFF),
      identity: () => note("sync.identity", SYNC_OFF),
    },
  };
}
