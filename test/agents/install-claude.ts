import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The version that the recordings and the parser were made with. */
export const CLAUDE_VERSION = "2.1.332";

/**
 * The real Claude Code program, installed from npm into a cache below node_modules when it is not
 * there yet. The platform's package holds the program itself, so no install script runs.
 */
export function installClaude(): string {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const folder = new URL(`../../node_modules/.cache/agents/claude-${CLAUDE_VERSION}`, import.meta.url).pathname;
  const program = join(folder, "node_modules", name, "claude");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      "npm",
      [
        "install",
        "--prefix",
        folder,
        "--no-save",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        `${name}@${CLAUDE_VERSION}`,
      ],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  }
  return program;
}
