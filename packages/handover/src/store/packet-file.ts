import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readConfig } from "../config.ts";
import { HandoverError } from "../handover-error.ts";
import { canonicalize } from "../hash/canonicalize.ts";
import { parseStrict } from "../json/parse-strict.ts";
import type { Packet } from "../packet/packet.ts";

/**
 * Writes a packet as readable JSON and returns it. The folder is made if it is not there. The file is replaced in one
 * step: a reader finds the old packet or the new one, and a crash leaves one of them. A symbolic link stays one.
 */
export function savePacket<T extends Packet>(path: string, packet: T): T {
  // Throws for what no JSON text can hold, before anything is written.
  canonicalize(packet);
  mkdirSync(dirname(path), { recursive: true });
  const target = realPath(path);
  const next = `${target}.${process.pid}.handover-tmp`;
  try {
    writeThrough(next, `${JSON.stringify(packet, null, 2)}\n`);
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
  return packet;
}

/** Reads a packet file as it is, unchecked. Throws when there is none, and for a text that is not clean JSON. */
export function loadPacket(path: string): Packet {
  const parsed = parseStrict(readText(path));
  if (!parsed.ok) throw new HandoverError("not_json", `${path} is not valid JSON: ${parsed.reason}. Nothing was read.`);
  return parsed.value as Packet;
}

/** Where the packet lies when nobody says: `HANDOVER_PACKET`, else `.handover/packet.json` below the folder. */
export function defaultPacketPath(cwd: string, config = readConfig()): string {
  return config.packet ?? join(cwd, ".handover", "packet.json");
}

/** Writes a new file and waits until the disk has it, so that the rename never outlives the content. */
function writeThrough(path: string, text: string): void {
  const file = openSync(path, "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new HandoverError("not_found", `There is no packet at ${path}.`);
    throw new HandoverError("unreadable", `${path} cannot be read: ${(error as Error).message}.`);
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
