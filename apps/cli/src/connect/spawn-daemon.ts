import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { homePaths } from "@codehands/contracts";

/** How a daemon process ended. */
export interface DaemonEnd {
  /** Words for a person: "exit code 1". */
  how: string;
  /** It found that another daemon has the home. */
  inUse: boolean;
}

/** A daemon process that was started and does not belong to us any more. */
export interface SpawnedDaemon {
  ended: Promise<DaemonEnd>;
  /** What it has written to its stdout and stderr so far. */
  said: () => string;
}

export type SpawnDaemon = (o: { home: string; environment: Record<string, string> }) => SpawnedDaemon;

/** The file that holds what the daemon wrote before its own log was open. */
export const START_LOG = "daemon-start.log";

/** Exit code of a daemon that another one was faster than. */
const IN_USE = 5;

/** Makes a spawner for a program; without one it is the daemon that is installed beside this command. */
export function daemonSpawner(program?: readonly string[]): SpawnDaemon {
  return ({ home, environment }) => {
    const [command, ...args] = program ?? installedDaemon();
    const { logs } = homePaths(home);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    const log = `${logs}/${START_LOG}`;
    const fd = openSync(log, "w", 0o600);
    try {
      // Its own process group and no terminal: it outlives this command and its Ctrl-C.
      const child = spawn(command ?? process.execPath, args, {
        detached: true,
        cwd: home,
        env: environment,
        stdio: ["ignore", fd, fd],
      });
      const ended = new Promise<DaemonEnd>((resolve) => {
        child.once("error", (error) => resolve({ how: `could not be started: ${error.message}`, inUse: false }));
        child.once("exit", (code, signal) =>
          resolve({ how: signal === null ? `exit code ${code}` : `signal ${signal}`, inUse: code === IN_USE }),
        );
      });
      child.unref();
      return { ended, said: () => readFileSync(log, "utf8") };
    } finally {
      closeSync(fd);
    }
  };
}

function installedDaemon(): string[] {
  return [process.execPath, fileURLToPath(import.meta.resolve("@codehands/daemon"))];
}
