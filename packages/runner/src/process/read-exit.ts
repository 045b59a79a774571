import { readFileSync } from "node:fs";

/** The exit code that the wrapper wrote, or null while there is none (also when the run's folder is gone). */
export function readExit(runDir: string): number | null {
  try {
    const code = /^(\d{3})\n/.exec(readFileSync(`${runDir}/exit`, "latin1"))?.[1];
    return code === undefined ? null : Number(code);
  } catch {
    return null;
  }
}
