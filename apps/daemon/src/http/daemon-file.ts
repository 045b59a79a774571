import { readFile, rm } from "node:fs/promises";
import type { DaemonFile } from "@codehands/contracts";
import { replaceFile } from "../settings/replace-file.ts";

/** Tells programs of the same person how to reach us. Written once we listen: whoever reads it finds somebody. */
export async function writeDaemonFile(file: string, content: DaemonFile): Promise<void> {
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
}

/** Takes the file away at our orderly end; the file of another start is left alone. */
export async function removeDaemonFile(file: string, bootId: string): Promise<void> {
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.includes(JSON.stringify(bootId))) await rm(file, { force: true });
}
