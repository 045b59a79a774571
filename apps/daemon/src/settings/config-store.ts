import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type ConfigFile, type ParsedConfig, parseConfig } from "./config-schema.ts";
import type { ConfigEdit } from "./edit-config.ts";
import { replaceFile } from "./replace-file.ts";

/** The person's `config.json`, read anew each time, since a person may edit it by hand while the daemon runs. */
export interface ConfigStore {
  /** What the file says now. A file that is not there says nothing. */
  read(): Promise<ParsedConfig>;
  /** The newest content that was valid: what counts while the file is broken. */
  current(): ConfigFile;
  /** What counts now, read at once: for a decision that cannot wait and must not stand on an old file. */
  readNow(): ConfigFile;
  /** Applies a change to what the file says now and writes it whole; refused while the file is not valid. */
  edit(plan: (config: ConfigFile) => ConfigEdit): Promise<ConfigEdit>;
}

/** Opens the store on a file with the content that was read at the start. */
export function openConfigStore(file: string, initial: ConfigFile): ConfigStore {
  let valid = initial;
  // One after the other: of two changes at once neither may undo the other. No other program of ours writes here.
  let queue: Promise<unknown> = Promise.resolve();

  const take = (parsed: ParsedConfig): ParsedConfig => {
    if (parsed.ok) valid = parsed.config;
    return parsed;
  };
  const read = async (): Promise<ParsedConfig> => take(await readFile(file, "utf8").then(parseConfig, whyUnread));

  async function change(plan: (config: ConfigFile) => ConfigEdit): Promise<ConfigEdit> {
    const now = await read();
    if (!now.ok) return { ok: false, reason: `${file} is not valid: ${now.problems.join("; ")}. Nothing was changed.` };
    const edit = plan(now.config);
    if (edit.ok) {
      await replaceFile(file, `${JSON.stringify(edit.config, null, 2)}\n`);
      valid = edit.config;
    }
    return edit;
  }

  return {
    read,
    current: () => valid,
    readNow() {
      try {
        take(parseConfig(readFileSync(file, "utf8")));
      } catch (error) {
        take(whyUnread(error as NodeJS.ErrnoException));
      }
      return valid;
    },
    edit(plan) {
      const result = queue.then(() => change(plan));
      queue = result.catch(() => {});
      return result;
    },
  };
}

/** A file that is not there says nothing. */
function whyUnread(error: NodeJS.ErrnoException): ParsedConfig {
  if (error.code === "ENOENT") return { ok: true, config: {} };
  return { ok: false, problems: [`it cannot be read (${error.code ?? error.message})`] };
}
