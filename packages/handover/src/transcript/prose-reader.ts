import { NoteFinder } from "./find-notes.ts";
import { roleNamed, type Turn } from "./find-turns.ts";
import { MOST_TEXT, ownText } from "./own-text.ts";

const NAMES = "user|human|you|assistant|ai|agent|model|bot|cursor|antigravity|gemini|claude";
/** `User: …`, `**Assistant:** …`, `### Human: …`. */
const WITH_COLON = new RegExp(
  `^[ \\t]{0,3}[#>*_ \\t]{0,8}(${NAMES})[ \\t]{0,2}[*_]{0,4}[ \\t]{0,2}:[*_]{0,4}[ \\t]{0,3}(.*)$`,
  "i",
);
/** `## User`, `**Cursor**`, `_**User**_`: alone in a line it needs the marks of a heading. */
const ALONE = new RegExp(`^[ \\t]{0,3}(?:#{1,6}[ \\t]{1,4}[*_]{0,4}|[*_]{1,4})(${NAMES})[*_]{0,4}[ \\t]{0,20}()$`, "i");
/** In a brief these say something else ("Model: …"), so they do not make a chat of a text by themselves. */
const WEAK = new Set(["agent", "model", "bot"]);
const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+(.*)$/;
const RULE = /^[ \t]{0,3}(?:-{3,}|\*{3,})[ \t]*$/;

/** What stands in a text without speakers: a scratchpad, or a brief for agents. */
export interface Brief {
  /** The first heading, else the first line. */
  title: string;
  /** The lines that are neither headings nor bullets. */
  prose: string;
  notes: { text: string; open: boolean }[];
}

/** Reads prose line by line: as a chat if speakers are marked in it, else as a brief. Holds one turn and the newest notes. */
export class ProseReader {
  readonly #visit: (turn: Turn) => void;
  readonly #finder = new NoteFinder();
  #by: Turn["by"] | null = null;
  #turn: string[] = [];
  #turnSize = 0;
  #heading: string | null = null;
  #firstLine: string | null = null;
  #prose: string[] = [];
  #proseSize = 0;
  #notes: Brief["notes"] = [];

  constructor(visit: (turn: Turn) => void) {
    this.#visit = visit;
  }

  line(line: string): void {
    const inCode = this.#finder.inCode;
    const note = this.#finder.take(line);
    const marker = inCode || note !== null ? null : speakerOf(line, this.#by !== null);
    if (marker !== null) {
      this.#endTurn();
      this.#by = marker.by;
      this.#add(marker.rest);
    } else if (this.#by !== null) this.#add(line);
    else this.#brief(line, { note, inCode });
  }

  /** Null when speakers were marked: everything was told as turns then. */
  end(): Brief | null {
    this.#endTurn();
    if (this.#by !== null) return null;
    return { title: this.#heading ?? this.#firstLine ?? "", prose: this.#prose.join("\n").trim(), notes: this.#notes };
  }

  #add(line: string): void {
    if (this.#turnSize > MOST_TEXT * 8) return;
    this.#turn.push(line);
    this.#turnSize += line.length + 1;
  }

  #endTurn(): void {
    // Exports draw a rule between turns.
    while (this.#turn.length > 0 && isEmpty(this.#turn.at(-1) ?? "")) this.#turn.pop();
    const text = this.#turn.join("\n").trim();
    if (this.#by !== null && text !== "") this.#visit({ by: this.#by, text });
    this.#turn = [];
    this.#turnSize = 0;
  }

  #brief(line: string, o: { note: Brief["notes"][number] | null; inCode: boolean }): void {
    const heading = o.inCode ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      this.#heading ??= ownText(heading.trim(), 2000) || null;
      return;
    }
    if (o.note !== null) {
      this.#notes.push({ text: ownText(o.note.text, 2000), open: o.note.open });
      if (this.#notes.length > 2000) this.#notes.splice(0, 1000);
      this.#firstLine ??= this.#notes.at(-1)?.text ?? null;
      return;
    }
    if (line.trim() !== "") this.#firstLine ??= ownText(line.trim(), 2000);
    if (this.#proseSize > MOST_TEXT) return;
    this.#prose.push(ownText(line));
    this.#proseSize += line.length + 1;
  }
}

const isEmpty = (line: string): boolean => line.trim() === "" || RULE.test(line);

function speakerOf(line: string, chat: boolean): { by: Turn["by"]; rest: string } | null {
  const match = WITH_COLON.exec(line) ?? ALONE.exec(line);
  const name = match?.[1] ?? "";
  const by = roleNamed(name);
  return by === null || (!chat && WEAK.has(name.toLowerCase())) ? null : { by, rest: match?.[2] ?? "" };
}
