import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TempHome } from "../kit/temp-home.ts";
import { isAlive, until } from "../kit/temp-home.ts";

export interface ServedCloud {
  url: string;
  port: number;
  /** Of the cloud itself, below the command. */
  pid: number;
  /** How long the cloud took until it was ready, ms. */
  readyAfter: number;
  /** Everything that was said on standard error. */
  said(): string;
  /** Ends it as a person does; its exit code. */
  end(): Promise<number | undefined>;
  /** SIGKILL to the command and to the cloud below it. Its PostgreSQL is left alone. */
  kill(): Promise<void>;
}

interface Serving {
  words: readonly string[];
  env?: Record<string, string>;
}

const READY = /listening on (\S+) \(port (\d+), pid (\d+)\), ready after (\d+) ms/;

/** Starts the built `codehands serve` and waits until it says where it listens. */
export async function serveCloud(machine: TempHome, { words, env = {} }: Serving): Promise<ServedCloud> {
  // Behind a proxy that is trusted, each caller has an address of its own for the limits.
  const child = machine.spawnCli(["serve", ...words], {
    env: { CODEHANDS_CLOUD_TRUSTED_PROXIES: "127.0.0.1", ...env },
    stdin: "ignore",
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  let ended = false;
  void child.then(() => (ended = true));
  await until(() => ended || READY.test(said), 90);
  const [, url = "", port, pid, ms] = READY.exec(said) ?? [];
  if (url === "") throw new Error(`The cloud did not start: ${said}`);
  return {
    url,
    port: Number(port),
    pid: Number(pid),
    readyAfter: Number(ms),
    said: () => said,
    end: async () => {
      child.kill("SIGTERM");
      return (await child).exitCode;
    },
    kill: async () => {
      // The cloud first: it ends in order when its parent is gone.
      process.kill(Number(pid), "SIGKILL");
      child.kill("SIGKILL");
      await child;
      await until(() => !isAlive(Number(pid)));
    },
  };
}

/** Processes that were started with this folder in their words: a cloud's PostgreSQL with its data folder. */
export function processesOf(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid) && wordsOf(pid).some((word) => word.startsWith(folder)));
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(join("/proc", String(pid), "cmdline"), "utf8").split("\0");
  } catch {
    return [];
  }
}
