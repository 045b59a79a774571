import { Readable } from "node:stream";
import type { Source } from "../cli.ts";
import type { ExitCode } from "../exit-code.ts";
import { type CliWorld, runCli } from "../run-cli.ts";
import type { TextSink } from "../terminal/output.ts";
import { environmentWith } from "./config.ts";

export interface DriveOptions {
  /** What the command reads on stdin; nothing when absent. */
  input?: string;
  /** Exit codes that are no failure; only 0 when absent. */
  allowed?: readonly ExitCode[];
  /** Told of each JSON line as it is written, for commands that go on after it. */
  onLine?: (line: Readonly<Record<string, unknown>>) => void;
}

/** A home of its own, driven as a person or a program would: command lines in, JSON out. */
export interface DrivenHome {
  home: string;
  /** Runs a command line with `--json` and gives its last line. Throws with what it said when it failed. */
  json(words: readonly string[], o?: DriveOptions): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Drives the command against another home folder in this process, so that two devices can meet on one machine. Each
 * home has its own daemon. What the command tells on stderr is kept for the error and shown nowhere.
 */
export function driveHome(world: CliWorld, home: string): DrivenHome {
  const variables = environmentWith({ CODEHANDS_HOME: home });
  return {
    home,
    async json(words, o = {}) {
      const said: string[] = [];
      const lines = new JsonLines(o.onLine);
      const stdin: Source = Readable.from(o.input === undefined ? [] : [o.input]);
      const stdout = sink((text) => lines.take(text));
      const stderr = sink((text) => void said.push(text));
      const exitCode = await runCli({ ...world, words: [...words, "--json"], variables, stdin, stdout, stderr });
      if (![0, ...(o.allowed ?? [])].includes(exitCode)) {
        throw new Error(`codehands ${words[0]} in ${home} ended with exit code ${exitCode}. ${said.join("").trim()}`);
      }
      return lines.last();
    },
  };
}

function sink(take: (text: string) => void): TextSink {
  return {
    write(text, done) {
      take(text);
      done?.(null);
      return true;
    },
  };
}

class JsonLines {
  #rest = "";
  #last: Readonly<Record<string, unknown>> | null = null;
  readonly #onLine: DriveOptions["onLine"];

  constructor(onLine: DriveOptions["onLine"]) {
    this.#onLine = onLine;
  }

  take(text: string): void {
    const parts = `${this.#rest}${text}`.split("\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts.filter(Boolean)) {
      this.#last = JSON.parse(part) as Record<string, unknown>;
      this.#onLine?.(this.#last);
    }
  }

  last(): Readonly<Record<string, unknown>> {
    if (this.#last === null) throw new Error("The command answered nothing.");
    return this.#last;
  }
}
