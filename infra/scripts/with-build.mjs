#!/usr/bin/env node
/**
 * Builds what is out of date, then runs one Node program in the folder the person stands in.
 * Without a program it only builds.
 *
 *   node infra/scripts/with-build.mjs [[node options] FILE [arguments]]
 *
 * The build speaks on stderr only, so that the program's stdout stays data.
 */
import { spawn, spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const given = process.argv.slice(2);
const at = given.findIndex((word) => !word.startsWith("-") && /\.(js|ts|mjs)$/.test(word));

const build = spawnSync(
  process.execPath,
  [
    resolve(root, "node_modules/turbo/bin/turbo"),
    "run",
    "build",
    "--output-logs=errors-only",
    "--log-order=grouped",
    "--no-update-notifier",
  ],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
  },
);
if (build.status !== 0) {
  process.stderr.write(build.stdout);
  process.stderr.write(build.stderr);
  process.stderr.write("error: the build failed, so nothing was run. Nothing of yours was changed.\n");
  process.exit(build.status ?? 1);
}

if (at === -1) process.exit(0);

const child = spawn(process.execPath, [...given.slice(0, at), resolve(root, given[at]), ...given.slice(at + 1)], {
  stdio: "inherit",
  // pnpm runs scripts in the workspace root; INIT_CWD is where the person stands.
  cwd: process.env.INIT_CWD ?? process.cwd(),
});
// The terminal sends Ctrl-C to the whole group; the child decides what it means.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => signal !== "SIGINT" && child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
