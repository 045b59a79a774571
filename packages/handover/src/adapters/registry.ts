import type { Adapter } from "../transcript/adapter.ts";
import { fromAntigravity } from "./antigravity.ts";
import { fromClaudeCode } from "./claude-code.ts";
import { fromCodehands } from "./codehands.ts";
import { fromCodex } from "./codex.ts";
import { fromCursor } from "./cursor.ts";

/** Every adapter by the name of its harness. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = Object.freeze({
  "claude-code": fromClaudeCode,
  codex: fromCodex,
  cursor: fromCursor,
  antigravity: fromAntigravity,
  codehands: fromCodehands,
});

/** The adapter of a harness, or null when there is none. */
export function getAdapter(name: string): Adapter | null {
  return Object.hasOwn(ADAPTERS, name) ? (ADAPTERS[name] ?? null) : null;
}
