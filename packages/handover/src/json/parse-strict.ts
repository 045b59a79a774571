/** A text of JSON that means one thing to every reader. */
export type StrictParse = { ok: true; value: unknown } | { ok: false; reason: string };

/**
 * Parses JSON and refuses what would silently become something else: a key that stands twice in an object, of which
 * JSON.parse keeps the last, and a whole number that a double cannot hold. A byte order mark is passed over.
 */
export function parseStrict(text: string): StrictParse {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    const value: unknown = JSON.parse(body);
    const reason = findAmbiguity(body);
    return reason === null ? { ok: true, value } : { ok: false, reason };
  } catch (error) {
    return { ok: false, reason: error instanceof RangeError ? "it is nested too deep" : "it is no JSON text" };
  }
}

/** Goes over a text that is known to be JSON, once and without recursion. */
function findAmbiguity(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  let last = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at];
    const end =
      character === '"' ? endOfString(text, at) : NUMBER_START.test(character ?? "") ? endOfNumber(text, at) : at + 1;
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(null);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') last = text.slice(at, end);
    else if (character === ":") {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return `the key ${JSON.stringify(key.slice(0, 80))} stands twice in one object`;
      keys?.add(key);
    } else if (end > at + 15 && isInexact(text.slice(at, end)))
      return `the number ${text.slice(at, Math.min(end, at + 40))} is too large to be kept exactly`;
    at = end;
  }
  return null;
}

const NUMBER_START = /[-\d]/;
const NUMBER_PART = /[-+.\deE]/;

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && NUMBER_PART.test(text[at] ?? "")) at++;
  return at;
}

/** Behind the quote that closes it: one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** True for a whole number that is another one once it is read. What the engine itself writes for a double is its own. */
function isInexact(token: string): boolean {
  if (!/^-?\d{16,}$/.test(token)) return false;
  const value = Number(token);
  return !Number.isFinite(value) || (String(value) !== token && BigInt(token) !== BigInt(value));
}
