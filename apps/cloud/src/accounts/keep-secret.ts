import { randomBytes } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CloudError } from "../http/cloud-error.ts";

/** The secret that signs login cookies: made once, kept in the data folder (0600), the same at every start. */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, "login-secret");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return readSecret(file) ?? makeSecret(file);
  } catch (error) {
    if (error instanceof CloudError) throw error;
    throw new CloudError(
      "secret_unreadable",
      `${file} cannot be used (${error instanceof Error ? error.message : String(error)}). Nothing was started. Give this user access to ${dataDir}, choose another folder with --data-dir, or set CODEHANDS_CLOUD_SECRET.`,
      { cause: error },
    );
  }
}

function readSecret(file: string): string | null {
  try {
    const secret = readFileSync(file, "utf8").trim();
    if (secret.length >= 32) return secret;
    throw new CloudError(
      "secret_unreadable",
      `${file} holds no secret. Nothing was started. Put it back from a backup, or remove it: then everybody has to log in again.`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function makeSecret(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  try {
    // Whole or not at all, and never over that of another server that started at the same moment.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readSecret(file) ?? makeSecret(file);
}
