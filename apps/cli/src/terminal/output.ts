import type { CliError } from "../cli-error.ts";
import { harmlessJson } from "./harmless-json.ts";
import { paintFor } from "./paint.ts";
import { stripControls } from "./strip-controls.ts";
import type { TerminalFacts } from "./terminal-facts.ts";

/** A stream we write text to: `process.stdout`, or what a test reads. */
export interface TextSink {
  write(text: string, done?: (error?: Error | null) => void): boolean;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** Where answers and remarks go: stdout carries data only, everything else is on stderr. */
export class Output {
  readonly facts: { stdout: TerminalFacts; stderr: TerminalFacts };
  readonly #sinks: { stdout: TextSink; stderr: TextSink };

  constructor(o: {
    stdout: TextSink;
    stderr: TextSink;
    facts: { stdout: TerminalFacts; stderr: TerminalFacts };
  }) {
    this.#sinks = { stdout: o.stdout, stderr: o.stderr };
    this.facts = o.facts;
  }

  /** Writes data to stdout as it is; whoever draws for a terminal has made it harmless. Resolves when it was taken. */
  data(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#sinks.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes data to stdout without waiting: for lines that come one at a time. */
  dataSoon(text: string): void {
    this.#sinks.stdout.write(text);
  }

  /** Writes one JSON value to stdout: indented on a terminal, one line in a pipe. */
  json(value: unknown): Promise<void> {
    return this.data(`${harmlessJson(value, this.facts.stdout.tty ? 2 : 0)}\n`);
  }

  /** Writes one JSON value as one line. */
  jsonLine(value: unknown): Promise<void> {
    return this.data(`${harmlessJson(value)}\n`);
  }

  /** Writes a remark, progress or a hint to stderr. */
  note(text: string): void {
    this.#sinks.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Writes a question to stderr and stays on its line. */
  ask(question: string): void {
    this.#sinks.stderr.write(`${question} `);
  }

  /** Writes a warning to stderr. */
  warn(sentence: string): void {
    this.note(`${paintFor(this.facts.stderr)("yellow", "warning:")} ${stripControls(sentence)}`);
  }

  /** Tells a failure: words and a hint for a person, one JSON line for a program. */
  failure(error: CliError, json: boolean): void {
    const { code, exitCode, message, hint } = error;
    if (json) {
      this.note(harmlessJson({ error: { code, exitCode, message, hint } }));
      return;
    }
    const paint = paintFor(this.facts.stderr);
    this.note(`${paint("red", "error:")} ${stripControls(message)}`);
    if (hint !== null) this.note(`  ${paint("cyan", "hint:")} ${stripControls(hint)}`);
  }
}
