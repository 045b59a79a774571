import { readFileSync } from "node:fs";
import * as z from "zod";
import { CloudError } from "../http/cloud-error.ts";

/** One step of the schema. Version N is a database with the first N steps. */
export interface Migration {
  version: number;
  tag: string;
  /** The lowest schema version that a program must know to work safely after this step. */
  minSafeVersion: number;
  statements: string[];
}

const journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string() })) });
const safety = z.record(z.string(), z.object({ minSafeVersion: z.int().min(1) }));

/** The migrations that come with this program. */
export const MIGRATIONS = new URL("../../migrations/", import.meta.url);

/** Reads the migrations of a folder in order. Throws `migrations_broken` when a step has no safety entry. */
export function readMigrations(folder: URL): Migration[] {
  const text = (name: string) => readFileSync(new URL(name, folder), "utf8");
  const known = safety.parse(JSON.parse(text("safety.json")));
  const { entries } = journal.parse(JSON.parse(text("meta/_journal.json")));
  return entries.map(({ tag }, position) => {
    const entry = known[tag];
    if (entry === undefined || entry.minSafeVersion > position + 1)
      throw new CloudError("migrations_broken", `Migration ${tag} has no usable entry in safety.json.`);
    const statements = text(`${tag}.sql`)
      .split("--> statement-breakpoint")
      .map((statement) => statement.trim())
      .filter((statement) => statement !== "");
    return { version: position + 1, tag, minSafeVersion: entry.minSafeVersion, statements };
  });
}
