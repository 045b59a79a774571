import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "./workspace.ts";
import { recordFolder } from "./workspace-record.ts";
import { writeDurable } from "./write-durable.ts";

/** What went into the trash, so that undo finds it and can say what it could not bring back. */
export interface TrashRecord {
  sessionId: string;
  /** Where the worktree folder lies now or will lie. */
  folder: string;
  ref: string;
  /** Files that only the folder holds: ignored, nested, special and large ones. */
  onlyInFolder: string[];
  /** Set once undo has finished. */
  restored: "folder" | "snapshot" | null;
  lost: string[];
}

const MAX_NAMES = 1000;

/** The trash record of a session; null when its worktree never went there. */
export async function readTrashRecord(ws: Workspace): Promise<TrashRecord | null> {
  try {
    return JSON.parse(await readFile(fileOf(ws), "utf8")) as TrashRecord;
  } catch {
    return null;
  }
}

/** Stores the trash record durably, at most 1,000 names of each list. */
export async function writeTrashRecord(ws: Workspace, record: TrashRecord): Promise<void> {
  const short = {
    ...record,
    onlyInFolder: record.onlyInFolder.slice(0, MAX_NAMES),
    lost: record.lost.slice(0, MAX_NAMES),
  };
  await writeDurable(fileOf(ws), JSON.stringify(short));
}

function fileOf(ws: Workspace): string {
  return join(recordFolder(ws.privateGitDir), `trash-${ws.sessionId}.json`);
}
