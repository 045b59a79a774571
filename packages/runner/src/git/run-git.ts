import { execa } from "execa";
import { RunnerError } from "../runner-error.ts";
import { type GitPlace, gitEnvironment, HARDENED_WORDS } from "./git-environment.ts";

/** Longer than any honest call here takes; a planted fifo must not hold a session for ever. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_BYTES = 256 * 1024 ** 2;

export interface GitCall {
  place: GitPlace;
  args: readonly string[];
  input?: Buffer | string;
  /** Added to the closed environment (author, committer, dates). */
  env?: Record<string, string>;
}

export interface GitAnswer {
  exitCode: number;
  stdout: Buffer;
  stderr: string;
}

function start(call: GitCall) {
  return {
    words: [...HARDENED_WORDS, ...call.args],
    options: {
      cwd: "/",
      env: { ...gitEnvironment(call.place), ...call.env },
      extendEnv: false,
      encoding: "buffer",
      reject: false,
      stripFinalNewline: false,
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_BYTES,
    },
  } as const;
}

/** Runs git and hands back its exit code. Throws `git_failed` only when git could not be run at all. */
export async function tryGit(call: GitCall): Promise<GitAnswer> {
  const { words, options } = start(call);
  const result = await execa(
    "git",
    words,
    call.input === undefined ? { ...options, stdin: "ignore" } : { ...options, input: call.input },
  );
  return answerOf(call.args, result);
}

/** Runs git and returns its output. Throws `git_failed`, or `disk_full`, with git's own words. */
export async function runGit(call: GitCall): Promise<Buffer> {
  const answer = await tryGit(call);
  if (answer.exitCode !== 0) throw gitFailure(call.args, answer);
  return answer.stdout;
}

/** `runGit` for a single line of ASCII output. */
export async function gitLine(call: GitCall): Promise<string> {
  return (await runGit(call)).toString("latin1").trim();
}

/** Runs git and yields its output as it comes, without holding it. Throws like `runGit`, after the last byte. */
export async function* streamGit(call: GitCall): AsyncGenerator<Buffer> {
  const { words, options } = start(call);
  const child = execa("git", words, { ...options, stdin: "ignore", buffer: { stdout: false } });
  let isRead = false;
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    isRead = true;
  } finally {
    // A reader that stops early leaves no git of ours behind.
    if (!isRead) child.kill();
  }
  const result = await child;
  const answer = answerOf(call.args, { ...result, stdout: new Uint8Array() });
  if (answer.exitCode !== 0) throw gitFailure(call.args, answer);
}

/** Runs `from` into `into`. Throws like `runGit` when either fails. */
export async function pipeGit(from: GitCall, into: GitCall): Promise<void> {
  const first = start(from);
  const second = start(into);
  const source = execa("git", first.words, { ...first.options, input: from.input ?? "", buffer: { stdout: false } });
  const received = await source.pipe("git", [...second.words], second.options);
  const sent = await source;
  // A reader that fails takes its writer down with it: its words are the ones that tell why.
  const receivedAnswer = answerOf(into.args, received);
  if (receivedAnswer.exitCode !== 0) throw gitFailure(into.args, receivedAnswer);
  const sentAnswer = answerOf(from.args, { ...sent, stdout: new Uint8Array() });
  if (sentAnswer.exitCode !== 0) throw gitFailure(from.args, sentAnswer);
}

interface Ended {
  exitCode?: number | undefined;
  code?: string | undefined;
  stdout?: unknown;
  stderr?: unknown;
  timedOut: boolean;
  isMaxBuffer: boolean;
  signal?: string | undefined;
  shortMessage?: string;
}

/** The plain form of how a git process ended. */
export function answerOf(args: readonly string[], result: Ended): GitAnswer {
  if (result.code === "ENOENT") {
    throw new RunnerError("git_failed", "The program git was not found on PATH. Nothing was changed.");
  }
  const stderr = Buffer.from((result.stderr as Uint8Array | undefined) ?? []).toString("utf8");
  if (result.exitCode === undefined || result.isMaxBuffer) {
    const why = result.timedOut
      ? "did not end in time"
      : `could not be run (${result.code ?? result.signal ?? "no code"})`;
    throw new RunnerError("git_failed", `git ${nameOf(args)} ${why}. ${stderr.trim()}`.trim());
  }
  return { exitCode: result.exitCode, stdout: Buffer.from((result.stdout as Uint8Array | undefined) ?? []), stderr };
}

/** The error for a git command that ended badly. */
export function gitFailure(args: readonly string[], answer: GitAnswer): RunnerError {
  const words = answer.stderr.trim();
  const code = /No space left on device|Disk quota exceeded/.test(words) ? "disk_full" : "git_failed";
  return new RunnerError(code, `git ${nameOf(args)} failed with exit code ${answer.exitCode}: ${words}`);
}

function nameOf(args: readonly string[]): string {
  return args.find((word, at) => !word.startsWith("-") && args[at - 1] !== "-c") ?? "";
}
