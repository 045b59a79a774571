/**
 * Paths as git prints them are bytes. Inside this folder they are carried as latin1 strings, one
 * character per byte, so that every name survives; only `displayPath` turns them into text.
 */
export type BytePath = string;

/** Splits NUL-ended git output into byte paths. */
export function splitNul(bytes: Buffer): BytePath[] {
  const parts = bytes.toString("latin1").split("\0");
  if (parts.at(-1) === "") parts.pop();
  return parts;
}

/** Byte paths as NUL-ended input for git. */
export function joinNul(paths: readonly BytePath[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
}

/** A byte path below `root` in the form that node's file functions take. */
export function pathBelow(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** A byte path as text for people; bytes that are not UTF-8 become U+FFFD. */
export function displayPath(path: BytePath): string {
  return Buffer.from(path, "latin1").toString("utf8");
}
