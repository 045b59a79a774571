import type { AccountPort, CheckView, LocalSyncPort } from "@codehands/api";
import { found } from "./check.ts";

/** An exchange older than this is told as a warning: the loop asks at least every 30 seconds, milliseconds. */
const OLD_MS = 10 * 60_000;

/** Whether this device exchanges with its account, and what was refused or cannot be opened. No row without an account. */
export async function checkSync(
  device: { account: AccountPort; sync: LocalSyncPort; quarantined: () => number; orphans: () => number },
  now: string,
): Promise<CheckView[]> {
  const account = await device.account.status();
  if (account.state === "signed_out") return [];
  const subject = ["account", "account"] as const;
  if (account.state === "locked")
    return [found.warn(subject, "logged in without keys: nothing is synced", "codehands pair")];
  const checks: CheckView[] = [];
  if (account.state === "stopped")
    checks.push(found.fail(subject, account.reason ?? "sync is stopped until you act", fixOf(account.reason)));
  else checks.push(found.ok(subject, `${account.email ?? "paired"} at ${account.cloudUrl ?? "unknown"}`));
  checks.push(...(await checkExchange(device.sync, now)));
  const kept = device.quarantined();
  if (kept > 0)
    checks.push(
      found.warn(
        ["quarantine", "sealed items"],
        `${kept} ${kept === 1 ? "item" : "items"} of other devices cannot be opened; kept sealed`,
        "update Code Hands; if it stays, codehands sync reset",
      ),
    );
  const orphans = device.orphans();
  if (orphans > 0)
    checks.push(
      found.warn(
        ["orphans", "events that the cloud lost"],
        `${orphans} ${orphans === 1 ? "event" : "events"} of other devices are here and not in the cloud any more; kept`,
        "turn on the devices that made them: they send them again",
      ),
    );
  return checks;
}

async function checkExchange(sync: LocalSyncPort, now: string): Promise<CheckView[]> {
  const view = await sync.status();
  const checks: CheckView[] = [];
  const subject = ["sync", "sync"] as const;
  const age = view.lastRoundTripAt === null ? null : Date.parse(now) - Date.parse(view.lastRoundTripAt);
  const { events, records } = view.pendingPush;
  const left = events + records === 0 ? "nothing to send" : `${events} events and ${records} records to send`;
  const last = age === null ? "no exchange yet" : `last exchange ${ageWords(age)} ago`;
  if (view.ask === "copy")
    checks.push(found.fail(subject, view.error ?? "another copy of this device lives", "codehands sync identity new"));
  else if (view.ask !== null)
    checks.push(found.fail(subject, view.error ?? "this device is not known any more", "codehands login"));
  else if (view.state === "paused")
    checks.push(found.warn(subject, `paused; ${last}, ${left}`, "codehands sync resume"));
  else if (view.state === "stopped") checks.push(found.fail(subject, view.error ?? "stopped", fixOf(view.error)));
  else if (view.error !== null || age === null || age > OLD_MS)
    checks.push(
      found.warn(subject, [last, left, view.error].filter((text) => text !== null).join("; "), "codehands sync now"),
    );
  else checks.push(found.ok(subject, `${last}, ${left}`));
  for (const { what, code, reason } of view.refused)
    checks.push(
      found.warn(["refused", "refused by the sync"], `${what}: ${reason} (${code})`, "codehands sync status"),
    );
  for (const { text } of view.suspicions)
    checks.push(found.fail(["suspicion", "the cloud's answers"], text, "codehands sync acknowledge"));
  return checks;
}

function fixOf(reason: string | null): string {
  const named = /\bchmod 600 \S+/.exec(reason ?? "")?.[0];
  if (named !== undefined) return named.replace(/[.,;]$/, "");
  if (/\bcopy\b/.test(reason ?? "")) return "codehands sync identity new";
  return /pair|key/i.test(reason ?? "") ? "codehands pair" : "codehands login";
}

function ageWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
