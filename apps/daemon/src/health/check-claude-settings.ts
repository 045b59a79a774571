import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckView } from "@codehands/api";
import { isRecord, readJson } from "../database/read-json.ts";
import { found } from "./check.ts";

/** File tools that, named bare or for everything, work outside of the worktree too. */
const FILE_TOOLS = /^(Read|Edit|Write|MultiEdit|NotebookEdit)(\((\*|\*\*|\/|\/\/|\/\*\*|\/\/\*\*|~|~\/\*\*)\))?$/;
const ANY_COMMAND = /^Bash(\((\*|:\*|\*:\*|sh.*|bash.*|zsh.*|env.*|sudo.*|node:\*|python3?:\*)\))?$/;

/** What a rule of the person's own settings lets an agent do everywhere; null for a harmless rule. */
export function whatRuleOpens(rule: string): string | null {
  if (ANY_COMMAND.test(rule)) return "lets every agent run any command without asking";
  if (/^(Read)\b/.test(rule) && FILE_TOOLS.test(rule)) return "lets every agent read any file of yours";
  return FILE_TOOLS.test(rule) ? "lets every agent write outside of its worktree" : null;
}

/** One warning per rule in the person's own Claude Code settings that opens the fence around a worktree again. */
export async function checkClaudeSettings(environment: Readonly<Record<string, string>>): Promise<CheckView[]> {
  const folder = environment.CLAUDE_CONFIG_DIR || join(environment.HOME ?? "/", ".claude");
  const file = join(folder, "settings.json");
  const read = readJson(await readFile(file, "utf8").catch(() => null));
  const permissions = read.ok && isRecord(read.value) && isRecord(read.value.permissions) ? read.value.permissions : {};
  const title = "your Claude Code settings";
  const rules = Array.isArray(permissions.allow) ? permissions.allow.filter((rule) => typeof rule === "string") : [];
  const checks = rules.flatMap((rule) => {
    const opens = whatRuleOpens(rule);
    return opens === null
      ? []
      : [found.warn([`claude-rule.${rule}`, title], `${rule} ${opens}`, `remove ${rule} from ${file}`)];
  });
  if (permissions.defaultMode === "bypassPermissions") {
    const detail = "defaultMode bypassPermissions asks for nothing; our runs name their own mode, others do not";
    checks.push(found.warn(["claude-mode", title], detail, `remove defaultMode from ${file}`));
  }
  return checks.length > 0
    ? checks
    : [found.ok(["claude-settings", title], "no rule opens the fence around a worktree")];
}
