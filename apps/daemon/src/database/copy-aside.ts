import { constants, copyFileSync, existsSync, statSync } from "node:fs";

/**
 * Copies a damaged database with its `-wal` and `-shm` beside itself and returns the copy's path, or null when that
 * was not possible. The originals stay. A copy made earlier is never overwritten, and serves again while the database
 * has not changed since: a daemon that is started again and again must not fill the disk.
 */
export function copyAside(file: string): string | null {
  let latest: string | null = null;
  for (let n = 1; n <= 999; n += 1) {
    const target = `${file}.damaged-${n}`;
    if (existsSync(target)) {
      latest = target;
      continue;
    }
    try {
      if (latest !== null && isCopyOf(latest, file)) return latest;
      copyFileSync(file, target, constants.COPYFILE_EXCL);
      for (const part of ["-wal", "-shm"]) {
        if (existsSync(file + part)) copyFileSync(file + part, target + part, constants.COPYFILE_EXCL);
      }
      return target;
    } catch {
      return null;
    }
  }
  return null;
}

function isCopyOf(copy: string, file: string): boolean {
  const [made, original] = [statSync(copy), statSync(file)];
  return made.size === original.size && made.mtimeMs >= original.mtimeMs;
}
