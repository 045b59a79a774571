import { readFile } from "node:fs/promises";
import { replaceFile } from "../settings/replace-file.ts";

const DEFAULT_PORT = 7433;

/**
 * The port to try first: the configured one, else the one of the last start. A browser keeps what it stores by
 * address, so a daemon that had to move once stays where it went.
 */
export async function readWishedPort(home: string, configured: number | undefined): Promise<number> {
  if (configured !== undefined) return configured;
  const last = Number(await readFile(`${home}/port`, "utf8").catch(() => ""));
  return Number.isInteger(last) && last >= 1 && last <= 65_535 ? last : DEFAULT_PORT;
}

/** Remembers the port for the next start. */
export async function keepPort(home: string, port: number): Promise<void> {
  await replaceFile(`${home}/port`, `${port}\n`);
}
