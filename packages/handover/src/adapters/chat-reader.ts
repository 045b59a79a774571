import type { AdapterOptions, LineReader } from "../transcript/adapter.ts";
import { DraftBuilder } from "../transcript/draft-builder.ts";
import { eachTurn, type Turn } from "../transcript/find-turns.ts";
import { eachLine } from "../transcript/lines-of.ts";
import { ProseReader } from "../transcript/prose-reader.ts";
import { parseJson } from "../transcript/read-json.ts";
import { stripWrappers } from "../transcript/strip-wrappers.ts";

/**
 * Reads a chat that was exported in whichever form: one JSON document, JSON lines, prose with speakers, or a text without
 * any. The first line that is not blank tells which.
 */
export class ChatReader implements LineReader {
  readonly #draft: DraftBuilder;
  readonly #prose: ProseReader;
  #form: "unknown" | "lines" | "document" | "prose" = "unknown";
  #document: string[] = [];

  constructor(opts: AdapterOptions) {
    this.#draft = new DraftBuilder(opts);
    this.#prose = new ProseReader((turn) => this.#turn(turn));
  }

  document(text: string): boolean {
    if (!/^\s{0,1000}[[{]/.test(text)) return false;
    const value = parseJson(text);
    if (value === undefined) return false;
    this.#form = "lines";
    eachTurn(value, (turn) => this.#turn(turn));
    return true;
  }

  line(line: string): void {
    if (this.#form === "unknown") {
      if (line.trim() === "") return;
      const json = /^\s{0,1000}[[{]/.test(line);
      this.#form = json ? (parseJson(line) === undefined ? "document" : "lines") : "prose";
    }
    if (this.#form === "prose") this.#prose.line(line);
    else if (this.#form === "lines") this.#jsonLine(line);
    else this.#document.push(line);
  }

  end() {
    if (this.#form === "document") this.#endDocument();
    if (this.#form === "prose") this.#endProse();
    return this.#draft.build();
  }

  #turn({ by, text }: Turn): void {
    if (by === "user") this.#draft.user(stripWrappers(text));
    else this.#draft.assistant(text);
  }

  #jsonLine(line: string): void {
    if (/^\s{0,1000}[[{]/.test(line)) eachTurn(parseJson(line), (turn) => this.#turn(turn));
  }

  /** A text that began like JSON: a document, lines of which the first is broken, or prose after all. */
  #endDocument(): void {
    const text = this.#document.join("\n");
    this.#document = [];
    if (this.document(text)) return;
    let parsed = 0;
    eachLine(text, (line) => {
      if (/^\s{0,1000}[[{]/.test(line) && parseJson(line) !== undefined) parsed += 1;
      this.#jsonLine(line);
    });
    if (parsed > 0) return;
    this.#form = "prose";
    eachLine(text, (line) => this.#prose.line(line));
  }

  #endProse(): void {
    const brief = this.#prose.end();
    if (brief === null) return;
    this.#draft.user(brief.title);
    for (const note of brief.notes) this.#draft.note(note);
    const prose = brief.prose === brief.title ? "" : brief.prose;
    if (prose !== "") this.#draft.context(prose);
  }
}
