import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ResetCall {
  /** The words that the cloud's program takes. */
  words: readonly string[];
  /** Goes to it on standard input, never among the words. */
  password: string;
  cwd: string;
  environment: Record<string, string>;
}

/** What the program answered: one object, or null when it could not; and how it ended (`code` null by a signal). */
export interface ResetAnswer {
  said: Record<string, unknown> | null;
  code: number | null;
  /** Lines for the log of whoever runs it. */
  remarks: string;
}

/** Runs the installed cloud's program that sets a new password, beside a cloud that runs or without one. */
export async function resetByCloud({ words, password, cwd, environment }: ResetCall): Promise<ResetAnswer> {
  const program = fileURLToPath(import.meta.resolve("@codehands/cloud/set-password"));
  const child = spawn(process.execPath, [program, "--json", ...words], {
    cwd,
    env: environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  // It may have ended with an answer before it read anything.
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${password}\n`);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve(exitCode));
  });
  return { said: parseAnswer(texts.stdout), code, remarks: texts.stderr };
}

function parseAnswer(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
