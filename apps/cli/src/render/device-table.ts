import type { AccountDevice } from "@codehands/api";
import { paintFor } from "../terminal/paint.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import { renderTable } from "./table.ts";
import { ago } from "./times.ts";

/** The devices of an account, one line each. Names come from other devices and are made harmless. */
export function renderDevices(devices: readonly AccountDevice[], o: { facts: TerminalFacts; nowMs: number }): string {
  const paint = paintFor(o.facts);
  const columns = [
    { title: "NAME", grows: true },
    { title: "ID" },
    { title: "PLATFORM" },
    { title: "MAY" },
    { title: "LAST HEARD" },
  ];
  const sorted = [...devices].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
  const rows = sorted.map((device) => ({
    cells: [
      stripToLine(device.name) || "(no name)",
      device.id.slice(0, 8),
      stripToLine(device.platform),
      device.roles.join(", ") || "-",
      heard(device, o.nowMs),
    ],
    paint: (cell: string, at: number) => {
      if (device.revokedAt !== null) return paint("dim", cell);
      return at === 0 && device.current ? paint("bold", cell) : cell;
    },
  }));
  return `${renderTable(columns, rows, o.facts).join("\n")}\n`;
}

function place(device: AccountDevice): number {
  if (device.revokedAt !== null) return 2;
  return device.current ? 0 : 1;
}

function heard(device: AccountDevice, nowMs: number): string {
  if (device.revokedAt !== null) return `removed ${ago(nowMs, device.revokedAt)}`;
  if (device.current) return "this device";
  return device.lastSeenAt === null ? "never" : ago(nowMs, device.lastSeenAt);
}
