import { StringDecoder } from "node:string_decoder";

/** Things that come one after the other, now or later. */
export type Sequence<T> = Iterable<T> | AsyncIterable<T>;

/** A line without its ending and, in the first one, without the byte order mark. */
export function bareLine(line: string, first: boolean): string {
  const start = first && line.charCodeAt(0) === 0xfeff ? 1 : 0;
  let end = line.length;
  while (end > start && (line.charCodeAt(end - 1) === 10 || line.charCodeAt(end - 1) === 13)) end--;
  return start === 0 && end === line.length ? line : line.slice(start, end);
}

/** Calls back for each line of a text. A line is a view of the text: nothing is copied. */
export function eachLine(text: string, visit: (line: string) => void): void {
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const end = found === -1 ? text.length : found;
    visit(bareLine(text.slice(from, end), from === 0));
    from = end + 1;
  }
}

/**
 * Cuts a stream of bytes or text (a file's, a pipe's) into lines, for the `lines` form of an adapter. It holds one line
 * at a time; a character that two chunks share is put together again.
 */
export async function* linesOf(chunks: Sequence<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  // The bytes of a long line are turned into text as they come, so that only the text of it is held.
  let open: string[] = [];
  for await (const chunk of chunks) {
    const text =
      typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      open.push(text.slice(from, at));
      const line = open.length === 1 ? (open[0] ?? "") : open.join("");
      open = [];
      yield line;
      from = at + 1;
    }
    if (from < text.length) open.push(from === 0 ? text : text.slice(from));
  }
  open.push(decoder.end());
  const last = open.join("");
  if (last !== "") yield last;
}
