import type { AccountStore } from "@codehands/client";
import { newSyncState } from "@codehands/client/store";
import { forgetChanges } from "../changes/change-rows.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { markReposUnsent } from "../repos/repo-rows.ts";
import { giveUpId } from "../sessions/left-to-other.ts";
import { markSessionsUnsent } from "../sessions/session-rows.ts";
import { markPreferencesUnsent } from "../settings/preference-rows.ts";
import { markTasksUnsent } from "../tasks/task-rows.ts";
import { forgetAccount, putAccount, raiseN, readAccount } from "./account-rows.ts";
import { forgetLines } from "./line-rows.ts";
import { forgetLogs } from "./log-rows.ts";
import { forgetRecords } from "./record-rows.ts";
import { forgetSyncState, putSyncState, readSyncState } from "./state-rows.ts";

/** The account of this device in its database. No key and no token is in it. */
export function createAccountStore(store: OpenDatabase): AccountStore {
  return {
    load: async () => readAccount(store),
    save: async (account) => inTransaction(store, (tx) => putAccount(tx, account)),
    async change(fields) {
      inTransaction(store, (tx) => {
        const held = readAccount(store);
        if (held === null) throw notSignedIn();
        // Two changes at once must not take numbers back.
        const lastN = Math.max(held.lastN, fields.lastN ?? 0);
        putAccount(tx, { ...held, ...fields, lastN });
      });
    },
    async takeN(count) {
      const last = inTransaction(store, (tx) => raiseN(tx, count));
      if (last === null) throw notSignedIn();
      return last - count + 1;
    },
    clear: async () => inTransaction(store, forget),
  };
}

/**
 * What other devices made goes; what this one made stays. Tasks, repositories and preferences would go to another account
 * as a whole, of sessions those that this one never heard of.
 */
function forget(tx: Tx): void {
  // S3: a copy that signs out does not come back under its old id either.
  const { copy, deviceId } = readSyncState(tx.store, "");
  if (copy !== null) giveUpId(tx, deviceId);
  forgetLines(tx);
  forgetLogs(tx);
  forgetRecords(tx);
  forgetSyncState(tx);
  // Whose database this is outlives the account: it is no news afterwards.
  if (deviceId !== "") putSyncState(tx, newSyncState(deviceId));
  forgetAccount(tx);
  forgetChanges(tx);
  markSessionsUnsent(tx);
  markTasksUnsent(tx);
  markReposUnsent(tx);
  markPreferencesUnsent(tx);
}

function notSignedIn(): DaemonError {
  return new DaemonError("not_found", "This device is not signed in to an account.");
}
