import type { SentCommand, SyncView } from "@codehands/api";
import { type IconName, iconsFor } from "../terminal/icons.ts";
import { type Ink, paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { counted } from "./amounts.ts";
import { renderSent } from "./sent-lines.ts";
import { ago } from "./times.ts";

const LOOKS: Readonly<Record<SyncView["state"], { icon: IconName; ink: Ink; words: string }>> = {
  off: { icon: "queued", ink: "dim", words: "Off: this device is not signed in." },
  working: { icon: "running", ink: "cyan", words: "Exchanging." },
  resting: { icon: "ok", ink: "green", words: "Nothing left to exchange." },
  retrying: { icon: "warn", ink: "yellow", words: "The cloud did not answer; it is tried again." },
  paused: { icon: "stopped", ink: "yellow", words: "Paused." },
  stopped: { icon: "fail", ink: "red", words: "Stopped: a person has to act." },
};

/** The commands that answer what a person is asked; `error` says it in words. */
const ASKS: Readonly<Record<NonNullable<SyncView["ask"]>, string>> = {
  copy: "codehands sync identity new   codehands sync identity this",
  pair_again: "codehands logout   codehands pair",
  revoked: "codehands logout   codehands pair",
};
/** At rest the cloud is asked every 30 s. Who still works and has had no answer for this long waits for one, milliseconds. */
const SILENT_MS = 45_000;
const SILENCE = { icon: "warn", ink: "yellow", words: "The cloud does not answer; the sync waits for it." } as const;

/** Of what was sent to other devices the newest are shown, and all that have no answer. */
const LAST_SENT = 10;

/** The state of the sync for a person: the age of the last real exchange, what is pending, what does not fit. */
export function renderSync(
  view: SyncView,
  o: { commands: readonly SentCommand[]; facts: TerminalFacts; nowMs: number },
): string {
  const { facts, nowMs } = o;
  const { icon, ink, words } = isSilent(view, nowMs) ? SILENCE : LOOKS[view.state];
  const paint = paintFor(facts);
  const last = view.lastRoundTripAt === null ? "never" : ago(nowMs, view.lastRoundTripAt);
  const age = view.state === "off" ? "" : ` Last exchange: ${last}.`;
  const lines = [`${paint(ink, iconsFor(facts)[icon])} ${words}${age}`];
  if (view.error !== null) lines.push(`  ${stripToLine(view.error)}`);
  if (view.ask !== null) lines.push(`  ${ASKS[view.ask]}`);
  lines.push(...pendingLines(view).map((line) => `  ${line}`));
  if (view.refused.length > 0) lines.push(paint("yellow", `  ${counted(view.refused.length, "row")} refused:`));
  for (const { what, code, reason } of view.refused) {
    lines.push(`    ${stripToLine(what)}: ${stripToLine(reason)} (${stripToLine(code)})`);
  }
  lines.push(...suspicionLines(view, facts));
  const shown = o.commands.filter(({ state }, at) => at < LAST_SENT || state === "queued" || state === "delivered");
  if (shown.length > 0) lines.push("", paint("bold", "Sent to other devices"));
  lines.push(...shown.map((command) => `  ${renderSent(command, nowMs)}`));
  return `${lines.join("\n")}\n`;
}

function isSilent({ state, lastRoundTripAt }: SyncView, nowMs: number): boolean {
  return state === "working" && lastRoundTripAt !== null && nowMs - Date.parse(lastRoundTripAt) > SILENT_MS;
}

function pendingLines({ pendingPush, cursor, head, state }: SyncView): string[] {
  if (state === "off") return [];
  const { events, records } = pendingPush;
  const send = [
    ...(events > 0 ? [counted(events, "event")] : []),
    ...(records > 0 ? [counted(records, "record")] : []),
  ];
  return [
    ...(send.length > 0 ? [`to send: ${send.join(", ")}`] : []),
    ...(head > cursor ? [`to fetch: version ${cursor} of ${head}`] : []),
  ];
}

/** What shows that the cloud, or somebody, lies; and what to do about it. */
export function suspicionLines(view: SyncView, facts: TerminalFacts): string[] {
  if (view.suspicions.length === 0) return [];
  const paint = paintFor(facts);
  const lines = view.suspicions.map(
    ({ code, what, text }) => `    ${stripToLine(what)}: ${stripToLine(text)} (${stripToLine(code)})`,
  );
  return [
    paint(
      "red",
      `  ${iconsFor(facts).fail} Something does not fit. Commands of other devices wait until you have looked:`,
    ),
    ...lines,
    "    codehands devices verify   codehands sync acknowledge",
  ];
}
