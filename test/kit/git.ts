import { execFileSync } from "node:child_process";

/** Runs git in a folder with a neutral identity and returns its output without the last newline. */
export function git(cwd: string, ...args: string[]): string {
  const out = execFileSync(
    "git",
    ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "init.defaultBranch=main", ...args],
    {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return out.replace(/\n$/, "");
}
