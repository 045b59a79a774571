/** Words and keys that nobody but the devices of an account may read, and a search for each of them in any spelling. */
import { randomBytes } from "node:crypto";

export interface Planted {
  what: string;
  bytes: Buffer;
  /** True for text: it may lie somewhere as UTF-16 as well. */
  isText: boolean;
}

/** What was planted, in the order it was made. */
export class Plants {
  readonly all: Planted[] = [];

  /** A text that stands nowhere else: words, letters beyond ASCII, and 96 random bits. */
  text(what: string): string {
    return this.keep(what, `${what} žlutý 鍵 ${randomBytes(12).toString("hex")}`);
  }

  /** Searches for a text that was made elsewhere, too. */
  keep(what: string, text: string): string {
    this.all.push({ what, bytes: Buffer.from(text), isText: true });
    return text;
  }

  key(what: string, bytes: Uint8Array): void {
    this.all.push({ what, bytes: Buffer.from(bytes), isText: false });
  }
}

interface Form {
  what: string;
  spelling: string;
  bytes: Buffer;
  /** Short digits count only where they stand alone: they are part of many a time stamp. */
  alone: boolean;
}

/** Base64 of these bytes as it looks in the middle of something longer: it depends on where they begin, modulo three. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

function formsOf({ what, bytes, isText }: Planted): Form[] {
  const text = bytes.toString();
  const hex = bytes.toString("hex");
  const inBase64 = base64Forms(bytes);
  const spellings: [string, Buffer | string][] = [
    ["bytes", bytes],
    ["hex", hex],
    ["HEX", hex.toUpperCase()],
    ...inBase64.map((each): [string, string] => ["base64url", each]),
    ...inBase64.map((each): [string, string] => ["base64", each.replaceAll("-", "+").replaceAll("_", "/")]),
    ...(isText
      ? ([
          ["utf-16le", Buffer.from(text, "utf16le")],
          ["utf-16be", swapped(Buffer.from(text, "utf16le"))],
          ["percent", encodeURIComponent(text)],
          [
            "json",
            JSON.stringify(text)
              .slice(1, -1)
              .replaceAll(/[^ -~]/g, escaped),
          ],
        ] as [string, string | Buffer][])
      : []),
  ];
  return spellings.map(([spelling, form]) => {
    const own = Buffer.from(form as string);
    return { what, spelling, bytes: own, alone: /^\d{1,12}$/.test(own.toString("latin1")) };
  });
}

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** One thing that is searched: a cell of a table, a line of a log, a file. */
export interface Haystack {
  place: string;
  bytes: Buffer;
}

/** Finds any spelling of any planted word. All are looked for in one pass, by their first four bytes. */
export class WordFinder {
  readonly #forms = new Map<number, Form[]>();
  readonly #mayBegin = new Uint8Array(1 << 16);

  constructor(planted: readonly Planted[]) {
    for (const form of planted.flatMap(formsOf)) {
      const start = form.bytes.readInt32LE(0);
      this.#forms.set(start, [...(this.#forms.get(start) ?? []), form]);
      this.#mayBegin[start & 0xffff] = 1;
    }
  }

  /** Every find as `what, spelling, place`. */
  find({ place, bytes }: Haystack): { what: string; spelling: string; place: string }[] {
    const found = [];
    for (let at = 0; at + 4 <= bytes.length; at++) {
      if (this.#mayBegin[(bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)] === 0) continue;
      for (const form of this.#forms.get(bytes.readInt32LE(at)) ?? []) {
        const end = at + form.bytes.length;
        if (end > bytes.length || form.bytes.compare(bytes, at, end) !== 0) continue;
        if (form.alone && (isPart(bytes[at - 1], /[\w.]/) || isPart(bytes[end], /\w/))) continue;
        found.push({ what: form.what, spelling: form.spelling, place });
      }
    }
    return found;
  }
}

/** True for a neighbour that makes digits a part of something longer. */
const isPart = (byte: number | undefined, letters: RegExp): boolean =>
  byte !== undefined && letters.test(String.fromCharCode(byte));
