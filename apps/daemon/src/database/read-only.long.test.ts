import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";

const NOBODY = 65_534;
const TSX = createRequire(import.meta.url).resolve("tsx");
const MODULE = fileURLToPath(new URL("./open-database.ts", import.meta.url));

/** Opens the database as another user when we are root, whom modes do not bind. */
function openAsPerson(file: string): Promise<string> {
  const program = `import(${JSON.stringify(MODULE)}).then(({ openDatabase }) => {
    try { openDatabase(${JSON.stringify(file)}); console.log("opened"); } catch (error) { console.log(error.code + " " + error.message); }
  });`;
  const who = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const words = ["--conditions=source", "--import", TSX, "--input-type=module", "-e", program];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { ...who, env: { TMPDIR: tmpdir() } }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trim());
      else reject(new Error(stderr));
    });
  });
}

test.each([
  ["cannot be written", 0o444, 0o555],
  ["cannot be read", 0o000, 0o555],
])("F06: a database that %s is refused in plain words and left as it is", async (words, mode, folder) => {
  const dir = mkdtempSync(join(tmpdir(), "codehands-mode-"));
  const file = join(dir, "state.db");
  openDatabase(file).close();
  const before = readFileSync(file);
  chmodSync(file, mode);
  chmodSync(dir, folder);
  try {
    const said = await openAsPerson(file);
    expect(said).toMatch(/^database_unreadable /);
    expect(said).toContain(words);
    expect(readFileSync(file).equals(before) || mode === 0).toBe(true);
  } finally {
    chmodSync(dir, 0o755);
    chmodSync(file, 0o644);
    rmSync(dir, { recursive: true, force: true });
  }
});
