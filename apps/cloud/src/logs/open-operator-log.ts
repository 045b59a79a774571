import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Log, openLog } from "./open-log.ts";

/**
 * A log of what operators do with commands, kept in the data folder (`operator.log`, 0600): the cloud's own log is
 * another process's. Where the folder cannot be written, `elsewhere` takes the lines.
 */
export function openOperatorLog(dataDir: string, elsewhere: (line: string) => void): Log {
  const write = (line: string): void => {
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      appendFileSync(join(dataDir, "operator.log"), line, { mode: 0o600 });
    } catch {
      elsewhere(line);
    }
  };
  return openLog({ level: "info", write });
}
