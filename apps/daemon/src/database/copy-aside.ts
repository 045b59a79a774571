import { copyFileSync, existsSync } from "node:fs";

/**
 * Copies a damaged database with its `-wal` and `-shm` beside itself and returns the copy's path, or null when
 * that was not possible. The originals stay; a copy made earlier is never overwritten.
 */
export function copyAside(file: string): string | null {
  for (let n = 1; n <= 999; n += 1) {
    const target = `${file}.damaged-${n}`;
    if (existsSync(target)) continue;
    try {
      copyFileSync(file, target);
      for (const part of ["-wal", "-shm"]) {
        if (existsSync(file + part)) copyFileSync(file + part, target + part);
      }
      return target;
    } catch {
      return null;
    }
  }
  return null;
}
