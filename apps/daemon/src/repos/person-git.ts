import { execFile } from "node:child_process";

export interface GitAnswer {
  /** -1 when git could not be run or was ended at its time limit. */
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** Reads something of a person's own repository. `folder` lies in it, or is its git folder. */
export type PersonGit = (folder: string, args: readonly string[]) => Promise<GitAnswer>;

const PASSED_ON = ["PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];
// An agent can write a repository's configuration: none of these may start a program or open a connection for it.
const WORDS = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "gc.auto=0",
  "-c",
  "protocol.allow=never",
];
const CLOSED = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "/bin/false",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_LITERAL_PATHSPECS: "1",
};
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 ** 2;

/** Git for reading, with the person's own configuration (`safe.directory` counts) and an environment built anew. */
export function createPersonGit(environment: Readonly<Record<string, string>>): PersonGit {
  const kept = PASSED_ON.filter((name) => environment[name] !== undefined).map((name) => [name, environment[name]]);
  const env = { ...Object.fromEntries(kept), ...CLOSED } as NodeJS.ProcessEnv;
  return (folder, args) =>
    new Promise((resolve) => {
      const options = { cwd: "/", env, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, killSignal: "SIGKILL" as const };
      execFile("git", ["-C", folder, ...WORDS, ...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        resolve({ exitCode: typeof code === "number" ? code : -1, stdout, stderr: stderr || (error?.message ?? "") });
      });
    });
}
