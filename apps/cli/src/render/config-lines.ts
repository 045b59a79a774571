import { stripControls } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { ConfigEntry } from "../wire-types.ts";
import { renderTable } from "./table.ts";

/** A setting's value as a person types it: words as they are, the rest as JSON, nothing for no value. */
export function configValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return stripControls(typeof value === "string" ? value : JSON.stringify(value));
}

/** All settings, one line each; with `origin` where each value comes from. */
export function renderConfig(entries: readonly ConfigEntry[], o: { facts: TerminalFacts; origin: boolean }): string {
  const columns = [{ title: "KEY" }, ...(o.origin ? [{ title: "ORIGIN" }] : []), { title: "VALUE", grows: true }];
  const rows = entries.map((entry) => ({
    cells: [entry.key, ...(o.origin ? [entry.origin] : []), configValue(entry.value) || "-"],
  }));
  return `${renderTable(columns, rows, o.facts).join("\n")}\n`;
}
