import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A cloud of our own on this machine, for as long as this program runs. */
export interface OwnCloud {
  /** As this machine dials it. */
  url: string;
  port: number;
  /** Resolves when it has ended, by `stop` or by itself. */
  ended: Promise<unknown>;
  /** Ends it in order. Its data stays. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 90_000;

/**
 * Starts the installed cloud with its own PostgreSQL in `dataDir`, on a free port of loopback unless `place` says where.
 * Rejects with what it said when it does not come up. When this process dies without a word, the channel between them ends, and the cloud with it.
 */
export async function openCloud(
  dataDir: string,
  environment: Record<string, string>,
  place: { host: string; port: number } = { host: "127.0.0.1", port: 0 },
): Promise<OwnCloud> {
  const program = fileURLToPath(import.meta.resolve("@codehands/cloud"));
  const words = ["--host", place.host, "--port", String(place.port), "--data-dir", dataDir];
  const child = spawn(process.execPath, [program, ...words], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ended = once(child, "exit");
  let said = "";
  const port = await new Promise<string>((resolve, reject) => {
    const giveUp = (): void => {
      child.kill("SIGKILL");
      reject(new Error(`The cloud did not start. ${said.trim().slice(-600)}`));
    };
    const timer = setTimeout(giveUp, PATIENCE_MS);
    child.once("error", giveUp).once("exit", giveUp);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = / \(port (\d+), /.exec(said)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      child.off("error", giveUp).off("exit", giveUp);
      resolve(found);
    });
  });
  // What it says later is of no use to anybody; the pipe must not fill up.
  child.stderr?.removeAllListeners("data").resume();
  return {
    url: `http://127.0.0.1:${port}`,
    port: Number(port),
    ended,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
