/** Where a line of a patch stands. */
export type PatchLine =
  /** The first line of a file's part. */
  | { kind: "file"; bytes: Buffer }
  | { kind: "header"; bytes: Buffer }
  /** A line of content; `line` counts in the new file and is set for added lines alone. */
  | { kind: "added"; bytes: Buffer; line: number }
  | { kind: "other"; bytes: Buffer };

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Cuts git's patch into lines as it comes, keeping every byte. Never holds more than one line. */
export async function* patchLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<PatchLine> {
  let open = { oldLeft: 0, newLeft: 0, line: 0 };
  for await (const bytes of wholeLines(chunks)) {
    if (open.oldLeft > 0 || open.newLeft > 0) {
      const mark = bytes[0];
      if (mark === PLUS) {
        yield { kind: "added", bytes, line: open.line };
        open.newLeft -= 1;
        open.line += 1;
        continue;
      }
      if (mark === MINUS) open.oldLeft -= 1;
      else if (mark !== BACKSLASH) {
        open.oldLeft -= 1;
        open.newLeft -= 1;
        open.line += 1;
      }
      yield { kind: "other", bytes };
      continue;
    }
    if (bytes.subarray(0, 11).equals(FILE_START)) yield { kind: "file", bytes };
    else {
      const hunk = bytes[0] === AT ? HUNK.exec(bytes.subarray(0, 100).toString("latin1")) : null;
      if (hunk !== null) open = { oldLeft: Number(hunk[1] ?? 1), newLeft: Number(hunk[3] ?? 1), line: Number(hunk[2]) };
      yield { kind: "header", bytes };
    }
  }
}

const [PLUS, MINUS, BACKSLASH, AT] = [0x2b, 0x2d, 0x5c, 0x40];
const FILE_START = Buffer.from("diff --git ");

/** Lines with their newline. A line that spans many chunks is joined once. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, end + 1);
      yield parts.length === 0 ? piece : Buffer.concat([...parts, piece]);
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}
