import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readClaudeAuth } from "@codehands/runner";
import type { AskProgram } from "./ask-program.ts";

export type SignedIn = boolean | "unknown";

export interface SignInQuestion {
  /** The agent's program and its words. */
  command: readonly string[];
  /** What the program said to `--version`; tells whether it is the one we know how to ask. */
  versionText: string;
  environment: Readonly<Record<string, string>>;
  ask: AskProgram;
}

const CLAUDE_TOKENS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/** Whether Claude Code has what it needs to sign in, found without a call to its provider and without spending. */
export async function isClaudeSignedIn(question: SignInQuestion): Promise<SignedIn> {
  const { command, environment, ask, versionText } = question;
  if (CLAUDE_TOKENS.some((name) => isSet(environment[name]))) return true;
  if (!/Claude Code/.test(versionText)) return "unknown";
  // A version that does not know `auth` would take the words for a prompt and spend money on them.
  const help = await ask([...command, "auth", "--help"]);
  if (!/Usage: claude auth\b/.test(help.stdout)) return "unknown";
  const status = await ask([...command, "auth", "status", "--json"]);
  return status.exitCode === null ? "unknown" : readClaudeAuth(status.stdout, status.exitCode);
}

/** Whether Codex has what it needs to sign in, told from its own files; nothing is started. */
export async function isCodexSignedIn(environment: Readonly<Record<string, string>>): Promise<SignedIn> {
  if (isSet(environment.CODEX_API_KEY)) return true;
  const folder = environment.CODEX_HOME || join(environment.HOME ?? "/", ".codex");
  const read = (name: string): Promise<string> => readFile(join(folder, name), "utf8").catch(() => "");
  const [auth, config] = await Promise.all([read("auth.json"), read("config.toml")]);
  if (holdsCodexLogin(auth)) return true;
  // Another provider or the system's key ring: only Codex itself knows.
  return /^\s*(model_provider|cli_auth_credentials_store)\s*=/m.test(config) ? "unknown" : false;
}

function holdsCodexLogin(text: string): boolean {
  try {
    const data = JSON.parse(text) as { OPENAI_API_KEY?: unknown; tokens?: { access_token?: unknown } | null } | null;
    return isSet(data?.OPENAI_API_KEY) || isSet(data?.tokens?.access_token);
  } catch {
    return false;
  }
}

function isSet(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
