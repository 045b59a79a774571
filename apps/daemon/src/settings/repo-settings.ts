import * as z from "zod";
import { STARTABLE_AGENTS } from "./config-schema.ts";

const text = z.string().min(1).max(4_096);
const model = z.looseObject({ model: text });

/** What a repository's own file may say. The first five are hints below a person's own settings. */
const SHAPES = {
  agent: z.enum(STARTABLE_AGENTS),
  model: text,
  phases: z.looseObject({ plan: model.optional(), execute: model.optional() }),
  base: text.refine((ref) => !ref.startsWith("-")),
  language: text,
  testCommands: z.array(text).min(1).max(64),
} as const;

export interface RepoSettings {
  hints: {
    agent?: z.infer<typeof SHAPES.agent>;
    model?: string;
    phases?: { plan?: { model: string }; execute?: { model: string } };
    base?: string;
    language?: string;
  };
  /** Counts only once a person trusted the file as it is. */
  testCommands: string[] | null;
  /** Keys that the file holds and that do not count, or whose values are not valid. */
  ignored: string[];
}

/** Reads the text of `.codehands.json`. A key that a repository may not set is ignored and named, never obeyed. */
export function parseRepoSettings(source: string): RepoSettings {
  const settings: RepoSettings = { hints: {}, testCommands: null, ignored: [] };
  const data = jsonObject(source);
  if (data === null) return { ...settings, ignored: ["the file is not a JSON object"] };
  for (const [key, value] of Object.entries(data)) {
    const shape = Object.hasOwn(SHAPES, key) ? SHAPES[key as keyof typeof SHAPES] : undefined;
    const parsed = shape?.safeParse(value);
    if (parsed === undefined || !parsed.success) settings.ignored.push(key);
    else if (key === "testCommands") settings.testCommands = parsed.data as string[];
    else Object.assign(settings.hints, { [key]: parsed.data });
  }
  return settings;
}

function jsonObject(source: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(source.replace(/^\uFEFF/, ""));
    return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
