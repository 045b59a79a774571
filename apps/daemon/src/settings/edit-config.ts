import { CONFIG_KEYS, type ConfigKey } from "@codehands/api";
import { type ConfigFile, configSchema, problemsOf } from "./config-schema.ts";

export type ConfigEdit = { ok: true; config: ConfigFile } | { ok: false; reason: string };

/** True for a dotted key that a person may set in this version. */
export function isConfigKey(key: string): key is ConfigKey {
  return (CONFIG_KEYS as readonly string[]).includes(key);
}

/** The value at a dotted key; undefined when the file does not set it. */
export function valueAt(config: ConfigFile, key: ConfigKey): unknown {
  return key.split(".").reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), config);
}

/** The file with one key changed. A text is read as JSON where the key wants something else than a text. */
export function planSet(config: ConfigFile, key: string, value: unknown): ConfigEdit {
  if (!isConfigKey(key)) return unknownKey(key);
  const asGiven = configSchema.safeParse(nest(key, value ?? null));
  const asJson =
    typeof value === "string" && !asGiven.success ? configSchema.safeParse(nest(key, fromJson(value))) : null;
  const taken = asJson?.success === true ? asJson : asGiven;
  if (!taken.success) {
    return { ok: false, reason: `${problemsOf(taken.error).join("; ")}. Nothing was changed.` };
  }
  return { ok: true, config: put(config, key.split("."), valueAt(taken.data, key)) };
}

/** The file without one key; a group that is empty then goes too. */
export function planUnset(config: ConfigFile, key: string): ConfigEdit {
  return isConfigKey(key) ? { ok: true, config: put(config, key.split("."), undefined) } : unknownKey(key);
}

function unknownKey(key: string): ConfigEdit {
  return { ok: false, reason: `There is no setting "${key}". There are: ${CONFIG_KEYS.join(", ")}.` };
}

function nest(key: ConfigKey, value: unknown): unknown {
  return key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
}

function put<T extends object>(config: T, path: readonly string[], value: unknown): T {
  const [first = "", ...rest] = path;
  const { [first]: before, ...others } = config as Record<string, unknown>;
  const inner = rest.length === 0 ? value : put(isRecord(before) ? before : {}, rest, value);
  const gone = inner === undefined || (rest.length > 0 && isRecord(inner) && Object.keys(inner).length === 0);
  return (gone ? others : { ...config, [first]: inner }) as T;
}

/** Null, which no setting takes, for what is not JSON: undefined would mean "not set" and pass. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
