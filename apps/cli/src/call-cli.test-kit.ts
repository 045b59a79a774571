/** Calls the command in this process: words and streams in, exit code and texts out. */
import { Readable } from "node:stream";
import type { Source } from "./cli.ts";
import type { SpawnDaemon } from "./connect/spawn-daemon.ts";
import type { ExitCode } from "./exit-code.ts";
import { runCli } from "./run-cli.ts";
import type { TextSink } from "./terminal/output.ts";

export interface CallOptions {
  home: string;
  cwd?: string;
  /** What stdin holds; a terminal that is typed into when `tty`, one line after the other when it is a list. A promise types later, or never. */
  input?: string | string[] | Promise<string[]>;
  tty?: boolean;
  /** Columns of the terminal. */
  columns?: number;
  variables?: Record<string, string>;
  platform?: NodeJS.Platform;
  spawnDaemon?: SpawnDaemon;
  /** Receives the function that stands for Ctrl-C. */
  interrupts?: (press: () => void) => void;
  /** Told when the terminal is to stop or to begin again showing what is typed. */
  onRawMode?: (on: boolean) => void;
  /** Sees stderr as it is written. */
  onStderr?: (text: string) => void;
}

export interface Called {
  exitCode: ExitCode;
  stdout: string;
  stderr: string;
}

export const NOW = Date.parse("2026-01-02T03:10:00.000Z");

/** Runs one command line against the daemon of a home folder. A call that would start a daemon fails instead. */
export async function callCli(words: readonly string[], o: CallOptions): Promise<Called> {
  const texts = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr"): TextSink => ({
    isTTY: o.tty === true,
    columns: o.columns ?? 100,
    write(text, done) {
      texts[name] += text;
      if (name === "stderr") o.onStderr?.(text);
      done?.(null);
      return true;
    },
  });
  const stdin: Source = Readable.from(typed(o.input ?? []));
  stdin.isTTY = o.tty === true;
  if (o.onRawMode !== undefined) stdin.setRawMode = o.onRawMode;
  const handles = new Set<() => void>();
  o.interrupts?.(() => {
    for (const handle of handles) handle();
  });
  const exitCode = await runCli({
    words,
    variables: { HOME: "/home/me", CODEHANDS_HOME: o.home, LANG: "en_US.UTF-8", NO_COLOR: "1", ...o.variables },
    platform: o.platform ?? "linux",
    cwd: o.cwd ?? "/",
    stdin,
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    now: () => NOW,
    pollMs: 2,
    spawnDaemon: o.spawnDaemon ?? spawnNothing,
    onInterrupt(handle) {
      handles.add(handle);
      return () => void handles.delete(handle);
    },
  });
  return { exitCode, ...texts };
}

const spawnNothing: SpawnDaemon = () => ({
  ended: Promise.resolve({ how: "exit code 1", inUse: false }),
  said: () => "no daemon in this test",
});

async function* typed(input: NonNullable<CallOptions["input"]>): AsyncGenerator<string> {
  yield* [await input].flat();
}
