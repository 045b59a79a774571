#!/usr/bin/env node
/**
 * Checks the types of every part with its own settings: what runs in a browser knows the browser, the contracts know
 * neither it nor Node. Sources and tests, without building anything.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const parts = ["packages", "apps"].flatMap((floor) =>
  readdirSync(resolve(root, floor)).map((name) => `${floor}/${name}`),
);
let failed = 0;
for (const part of [...parts, "test"]) {
  const config = resolve(root, part, "tsconfig.json");
  if (!existsSync(config)) continue;
  const { status } = spawnSync(resolve(root, "node_modules/.bin/tsc"), ["-p", config], { cwd: root, stdio: "inherit" });
  if (status !== 0) failed += 1;
}
if (failed > 0) process.stderr.write(`error: the types of ${failed} parts do not hold.\n`);
process.exit(failed === 0 ? 0 : 1);
