/** The ports of the account in memory: each call is noted, and answered as on a device that is not signed in. */
import type { LocalPorts } from "./ports.ts";
import { SIGNED_OUT } from "./schemas/account.ts";
import { SYNC_OFF } from "./schemas/account-device.ts";

type Note = <T>(name: string, args: unknown[], value: T) => Promise<T>;

/** `note` keeps the name and the arguments of a call and gives its value. */
export function accountPorts(note: Note): Pick<LocalPorts, "account" | "pair" | "devices" | "sync"> {
  const refused = { ok: false as const, code: "not_signed_in", reason: "This device is not signed in." };
  const signedOut = { ...refused, code: "not_signed_in" as const };
  const dead = { state: "dead" as const, code: "PAIR_EXPIRED", reason: "The pairing has expired." };
  return {
    account: {
      status: (...args) => note("account.status", args, SIGNED_OUT),
      signUp: (...args) => note("account.signUp", args, signedOut),
      logIn: (...args) => note("account.logIn", args, signedOut),
      logOut: (...args) => note("account.logOut", args, { ok: true as const, notes: [] }),
      recover: (...args) => note("account.recover", args, signedOut),
      renewCode: (...args) => note("account.renewCode", args, signedOut),
    },
    pair: {
      begin: (...args) => note("pair.begin", args, refused),
      state: (...args) => note("pair.state", args, dead),
      accept: (...args) => note("pair.accept", args, dead),
      lookUp: (...args) => note("pair.lookUp", args, refused),
      invite: (...args) => note("pair.invite", args, refused),
      invited: (...args) => note("pair.invited", args, dead),
      offered: (...args) => note("pair.offered", args, dead),
      approve: (...args) => note("pair.approve", args, refused),
      cancel: (...args) => note("pair.cancel", args, undefined),
    },
    devices: {
      list: (...args) => note("devices.list", args, { devices: [] }),
      rename: (...args) => note("devices.rename", args, refused),
      revoke: (...args) => note("devices.revoke", args, refused),
      fingerprint: (...args) => note("devices.fingerprint", args, null),
    },
    sync: {
      status: (...args) => note("sync.status", args, SYNC_OFF),
      now: (...args) => note("sync.now", args, SYNC_OFF),
      pause: (...args) => note("sync.pause", args, SYNC_OFF),
      resume: (...args) => note("sync.resume", args, SYNC_OFF),
      reset: (...args) => note("sync.reset", args, SYNC_OFF),
      acknowledge: (...args) => note("sync.acknowledge", args, SYNC_OFF),
      identity: (...args) => note("sync.identity", args, SYNC_OFF),
    },
  };
}
