import type { AccountView } from "@codehands/api";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { counted } from "./amounts.ts";

/** How this device stands with its account, and what to do next; without a newline at the end. */
export function renderAccount(account: AccountView, deviceName: string | null, facts: TerminalFacts): string {
  const icons = iconsFor(facts);
  const who = stripToLine(account.email ?? "an account");
  const where = account.cloudUrl === null ? "" : ` at ${stripToLine(account.cloudUrl)}`;
  const why = account.reason === null ? "" : ` ${stripToLine(account.reason)}`;
  switch (account.state) {
    case "signed_out":
      return `${icons.queued} Not signed in.${why}   codehands signup   codehands login   codehands pair`;
    case "locked":
      return [
        `${icons.warn} Logged in as ${who}${where}, without keys: nothing can be read here yet.`,
        `  The account has ${holdings(account)}.`,
        "  Let this device in from another one:   codehands pair",
        "  Or, when every device is lost:         codehands recover",
      ].join("\n");
    case "stopped":
      return `${icons.fail} ${who}${where}: sync is stopped.${why}   codehands sync status`;
    default: {
      const name = deviceName === null ? "" : `, device ${stripToLine(deviceName)}`;
      return `${icons.ok} ${who}${where}${name} (${account.roles.join(", ")}).${why}`;
    }
  }
}

function holdings({ devices, sessions }: AccountView): string {
  const parts = [
    ...(devices === null ? [] : [counted(devices, "device")]),
    ...(sessions === null ? [] : [counted(sessions, "session")]),
  ];
  return parts.length === 0 ? "devices already" : parts.join(" and ");
}
