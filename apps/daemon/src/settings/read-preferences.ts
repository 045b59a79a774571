import type { Preferences } from "@codehands/contracts";
import * as z from "zod";
import type { OpenDatabase } from "../database/open-database.ts";
import { STARTABLE_AGENTS } from "./config-schema.ts";
import { listPreferences } from "./preference-rows.ts";

const text = z.string().min(1);
const model = z.object({ model: text });
const SHAPES: { [K in keyof Required<Preferences>]: z.ZodType<Preferences[K]> } = {
  agent: z.enum(STARTABLE_AGENTS),
  model: text,
  phases: z.object({ plan: model.optional(), execute: model.optional() }),
  budgetUsd: z.number().positive(),
  budgetTokens: z.number().positive(),
  testCommands: z.array(text),
  language: text,
  base: text.refine((ref) => !ref.startsWith("-")),
};

/** The preferences of a scope ("account" or a repository's key). One that this version cannot read does not count. */
export function readPreferences(store: OpenDatabase, scope: string): Preferences {
  const preferences: Preferences = {};
  for (const { key, body } of listPreferences(store, scope)) {
    if (!Object.hasOwn(SHAPES, key)) continue;
    const parsed = SHAPES[key as keyof Preferences].safeParse(parse(body));
    if (parsed.success) Object.assign(preferences, { [key]: parsed.data });
  }
  return preferences;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
