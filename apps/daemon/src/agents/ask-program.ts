import { spawn } from "node:child_process";

export interface ProgramAnswer {
  /** Null when the program was ended at its time limit, or could not be started. */
  exitCode: number | null;
  /** At most 64 KB. */
  stdout: string;
}

/** Asks a program a short question. */
export type AskProgram = (command: readonly string[]) => Promise<ProgramAnswer>;

const MAX_CHARS = 64 * 1024;

/** A question that spends nothing and changes nothing must not phone home or update the program either. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
};

/** Asks with stdin closed, in a folder where nothing lies, and ends the program with all it started after `limitMs`. */
export function createAskProgram(environment: Readonly<Record<string, string>>, limitMs = 5_000): AskProgram {
  const env = Object.fromEntries(
    Object.entries({ ...environment, ...QUIET }).filter(
      ([name]) => !/^(CODEHANDS_|CLAUDECODE$|NODE_OPTIONS$|GIT_)/.test(name),
    ),
  );
  return (command) =>
    new Promise((resolve) => {
      const [program = "", ...args] = command;
      const child = spawn(program, args, { cwd: "/", env, stdio: ["ignore", "pipe", "ignore"], detached: true });
      let stdout = "";
      const end = (): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        } catch {
          // The group has ended by itself.
        }
      };
      const limit = setTimeout(end, limitMs);
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (part: string) => {
        stdout = (stdout + part).slice(0, MAX_CHARS);
      });
      child.on("error", () => {
        clearTimeout(limit);
        resolve({ exitCode: null, stdout });
      });
      // `exit`, then the rest of the group: a grandchild that holds the pipe would keep `close` away for ever.
      child.on("exit", end);
      child.on("close", (code) => {
        clearTimeout(limit);
        resolve({ exitCode: code, stdout });
      });
    });
}
