/** Where a position of a JSON text lies: in a string, inside one of a string's escapes, or outside every string. */
export type JsonPlace = "string" | "escape" | "outside";

/** Reads a JSON text once, forwards: positions must be asked for in rising order. Never fails, whatever the text is. */
export function jsonPlace(text: string): (position: number) => JsonPlace {
  let at = 0;
  let inString = false;
  return (position) => {
    while (at < position) {
      const code = text.charCodeAt(at);
      if (code === 0x22) inString = !inString;
      const length = inString && code === 0x5c ? escapeLength(text, at) : 1;
      if (at + length > position) return "escape";
      at += length;
    }
    return inString ? "string" : "outside";
  };
}

const escapeLength = (text: string, at: number): number => (text.charCodeAt(at + 1) === 0x75 ? 6 : 2);
