import { execa } from "execa";
import { ownEnvironment } from "../config.ts";
import { answerOf, type GitAnswer } from "./run-git.ts";

/** What of the person's environment their own git may see. GIT_DIR and its kin would point it elsewhere. */
const PERSON_VARIABLES = [
  "PATH",
  "HOME",
  "XDG_CONFIG_HOME",
  "USER",
  "LOGNAME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "SSH_AUTH_SOCK",
];

/**
 * Runs git as the person, in their own checkout, before an agent starts: the only calls that read
 * their whole configuration. Only for commands that run no program; `network` opens the transports.
 */
export async function personGit(
  repoPath: string,
  args: readonly string[],
  network?: { input: Buffer },
): Promise<GitAnswer> {
  const own = ownEnvironment();
  const env: Record<string, string> = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  for (const name of PERSON_VARIABLES) if (own[name] !== undefined) env[name] = own[name];
  Object.assign(
    env,
    network === undefined
      ? { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" }
      : { GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh" },
  );
  const words = ["-C", repoPath, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"];
  const result = await execa("git", [...words, "-c", "maintenance.auto=false", ...args], {
    cwd: "/",
    env,
    extendEnv: false,
    encoding: "buffer",
    reject: false,
    stripFinalNewline: false,
    timeout: 10 * 60_000,
    ...(network === undefined ? { stdin: "ignore" as const } : { input: network.input }),
  });
  return answerOf(args, result);
}
