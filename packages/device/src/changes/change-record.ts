import { isObject, readObject, textOf } from "../replica/read-json.ts";

/** The body of a record of kind change: which log holds the review of a session, and what it has to add up to. */
export interface ChangeRecord {
  treeId: string;
  /** The log whose events are the slices; new for each change. */
  streamId: string;
  /** Its number of slices. */
  chunks: number;
  /** Length of the joined text in UTF-8. */
  bytes: number;
  /** Of the joined text, hex. */
  sha256: string;
  /** The patch was cut; files and counts are whole. */
  truncated: boolean;
}

/** Reads the body of a change record; null when it is none. */
export function readChangeRecord(body: string | null): ChangeRecord | null {
  const told = readObject(body);
  const treeId = textOf(told, "treeId");
  const streamId = textOf(told, "streamId");
  const sha256 = textOf(told, "sha256");
  if (!isObject(told) || treeId === null || streamId === null || sha256 === null) return null;
  const { chunks, bytes, truncated } = told;
  if (!isCount(chunks) || !isCount(bytes) || typeof truncated !== "boolean") return null;
  return { treeId, streamId, chunks, bytes, sha256, truncated };
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
