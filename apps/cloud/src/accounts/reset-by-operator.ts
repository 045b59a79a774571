import { EmbeddedError } from "@codehands/pg-embedded";
import { type DatabasePlace, openBesideCloud } from "../database/open-beside-cloud.ts";
import { isAway } from "../database/when-reachable.ts";
import { explainStartFailure } from "../health/explain-start-failure.ts";
import type { Log } from "../logs/open-log.ts";
import { emailAddress, refuseNewPassword } from "./credential-rules.ts";
import { resetPassword } from "./reset-password.ts";

export interface OperatorReset {
  place: DatabasePlace;
  /** As the operator typed them. */
  email: string;
  password: string;
  log: Log;
}

export type OperatorOutcome =
  | {
      ok: true;
      email: string;
      accountId: string;
      endedLogins: number;
      devices: number;
      /** What happened and what was kept; what to do next. */
      message: string;
      next: string;
    }
  | { ok: false; code: keyof typeof OPERATOR_EXIT; reason: string };

/** The codes of an operator's command, each with its exit code in the table of `codehands`. */
export const OPERATOR_EXIT = {
  usage: 2,
  no_cloud: 2,
  no_account: 3,
  busy: 5,
  newer: 5,
  unreachable: 7,
  in_doubt: 7,
  fault: 1,
} as const;

const NEXT =
  "Sign in with the new password. Devices that are paired go on as before; a new device still needs a pairing or the recovery code.";

/**
 * Sets a new password for a person who forgot theirs, on the machine of the cloud. A login is all it opens: what is
 * sealed stays closed to whoever does this. Throws for a fault of ours only.
 */
export async function resetByOperator({ place, email, password, log }: OperatorReset): Promise<OperatorOutcome> {
  const address = emailAddress.safeParse(email);
  if (!address.success) return refuse("usage", `'${email}' is not an e-mail address. Nothing was changed.`);
  const refusal = refuseNewPassword(password);
  if (refusal !== null) return refuse("usage", refusal);
  const wish = { email: address.data, password };
  const first = await reset(place, wish);
  // The cloud that has the database just ended, or another command did. Done twice it comes to the same.
  const outcome = isInDoubt(first) ? await reset(place, wish) : first;
  if (outcome.ok)
    log.info({ accountId: outcome.accountId, endedLogins: outcome.endedLogins }, "an operator set a new password");
  else if (outcome.code === "no_account")
    log.warn({}, "an operator asked for a new password of a login that is not there");
  return isInDoubt(first) && !outcome.ok ? first : outcome;
}

const isInDoubt = (outcome: OperatorOutcome): boolean => !outcome.ok && outcome.code === "in_doubt";

async function reset(place: DatabasePlace, wish: { email: string; password: string }): Promise<OperatorOutcome> {
  const opened = await openBesideCloud(place).catch(explainNoWayIn);
  if (!opened.ok) return opened;
  const { sql, close } = opened;
  const { email } = wish;
  try {
    const done = await resetPassword(sql, wish);
    if (!done.ok) return refuse("no_account", `There is no login ${email} in ${nameOf(place)}. Nothing was changed.`);
    const { accountId, endedLogins, devices } = done;
    const message = `${email} has a new password. ${tellEnded(endedLogins)} Devices, keys and what is sealed were not touched.`;
    return { ok: true, email, accountId, endedLogins, devices, message, next: NEXT };
  } catch (error) {
    if (!isAway(error)) throw error;
    const reason = "The database went away meanwhile. Whether the new password counts is not known: do it once more.";
    return refuse("in_doubt", reason);
  } finally {
    await close();
  }
}

function explainNoWayIn(error: unknown): Extract<OperatorOutcome, { ok: false }> {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (code === "EACCES" || code === "EPERM") {
    const reason = `This user may not read ${String(path)}. Nothing was changed. Do it as the user that the cloud runs as.`;
    return refuse("usage", reason);
  }
  const reason = explainStartFailure(error, "Nothing was changed.");
  if (reason === null) throw error;
  return refuse(error instanceof EmbeddedError && error.code === "in_use" ? "busy" : "unreachable", reason);
}

function tellEnded(logins: number): string {
  if (logins === 0) return "No browser was signed in.";
  return logins === 1 ? "The one login that was open is ended." : `All ${logins} logins that were open are ended.`;
}

/** The database in words, without the login to it. */
function nameOf({ databaseUrl, dataDir }: DatabasePlace): string {
  if (databaseUrl === null) return `the cloud's database in ${dataDir}`;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${host}${pathname}`;
}

function refuse(code: keyof typeof OPERATOR_EXIT, reason: string): Extract<OperatorOutcome, { ok: false }> {
  return { ok: false, code, reason };
}
