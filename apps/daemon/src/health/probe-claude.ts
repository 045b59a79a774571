import type { CheckView } from "@codehands/api";
import type { AskProgram, ProgramAnswer } from "../agents/ask-program.ts";
import { isRecord, readJson } from "../database/read-json.ts";
import { found } from "./check.ts";

/** A fresh session that says one word: no tools, nothing kept, and never more than five cents. */
const WORDS = [
  ...["-p", "--output-format", "json", "--permission-mode", "plan", "--tools", "", "--max-budget-usd", "0.05"],
  ...["--strict-mcp-config", "--setting-sources", "user", "--no-session-persistence", "--", "Answer with the word OK."],
];

export interface ProbeOptions {
  /** Claude Code's program and its words. */
  command: readonly string[];
  /** For a short question. */
  ask: AskProgram;
  /** For the probe itself, which waits for a model. */
  askModel: AskProgram;
}

/**
 * Lets Claude Code talk to its provider once, the way a run does: credentials that are there may still be refused.
 * It costs a fraction of a cent, so it is done only when a person asks for it.
 */
export async function probeClaude({ command, ask, askModel }: ProbeOptions): Promise<CheckView> {
  const version = await ask([...command, "--version"]);
  if (!/Claude Code/.test(version.stdout)) {
    return found.warn(
      ["probe", "claude-code answers"],
      "not probed: the program is not Claude Code",
      "set agents.claude-code.command",
    );
  }
  return readProbe(await askModel([...command, ...WORDS]));
}

/** What the probe's answer says. A refused sign-in is an error inside of an answer that looks like success. */
export function readProbe(answer: ProgramAnswer): CheckView {
  const title = "claude-code answers";
  const read = readJson(answer.stdout.trim());
  const result = read.ok && isRecord(read.value) ? read.value : {};
  if (answer.exitCode === null)
    return found.fail(["probe", title], "no answer in time", "check your network, then try again");
  if (result.is_error === false) {
    const cost = typeof result.total_cost_usd === "number" ? `, $${result.total_cost_usd.toFixed(4)}` : "";
    return found.ok(["probe", title], `a fresh session answered${cost}`);
  }
  const said = typeof result.result === "string" ? result.result : `exit code ${answer.exitCode}`;
  const isSignIn =
    result.api_error_status === 401 || /not logged in|\/login|invalid api key|authentication/i.test(said);
  return found.fail(
    ["probe", title],
    said.slice(0, 300),
    isSignIn ? "claude auth login" : "codehands doctor --probe, later",
  );
}
