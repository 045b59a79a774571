import { CONFIG_KEYS, type SettingsPort } from "@codehands/api";
import type { ConfigStore } from "./config-store.ts";
import { decideSetting } from "./decide-setting.ts";
import { isConfigKey, planSet, planUnset } from "./edit-config.ts";
import { readSources, type SourcesDeps } from "./read-sources.ts";

/** The settings of this device, each with where it comes from. Only `config.json` is ever written. */
export function createSettings(deps: SourcesDeps, config: ConfigStore): SettingsPort {
  const sourcesFor = async (repoPath: string | null) => {
    await config.read();
    return (await readSources(deps, { file: config.current(), repoPath })).sources;
  };
  return {
    async list(repoPath) {
      const sources = await sourcesFor(repoPath);
      return CONFIG_KEYS.map((key) => decideSetting(key, sources));
    },
    async get(key, repoPath) {
      return isConfigKey(key) ? decideSetting(key, await sourcesFor(repoPath)) : null;
    },
    async set(key, value) {
      const edit = await config.edit((file) => planSet(file, key, value));
      if (!edit.ok) return edit;
      // What counts now may still come from the environment: the answer shows it.
      return isConfigKey(key)
        ? { ok: true, entry: decideSetting(key, await sourcesFor(null)) }
        : { ok: false, reason: `There is no setting "${key}".` };
    },
    async unset(key) {
      const edit = await config.edit((file) => planUnset(file, key));
      return edit.ok ? { ok: true } : edit;
    },
  };
}
