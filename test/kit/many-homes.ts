import type { ResultPromise } from "execa";
import { type CliResult, isAlive, openTempHome, type TempHome, until } from "./temp-home.ts";

/** A cloud as `codehands serve` runs it: a process of its own with its own PostgreSQL. */
export interface ServedCloud {
  url: string;
  dataDir: string;
  /** Ends it in order; the data stays. */
  stop(): Promise<void>;
  /** Kills it the hard way; the data stays. */
  kill(): Promise<void>;
}

/** Starts `codehands serve` and waits until it says where it listens. */
export async function serveCloud(
  machine: TempHome,
  {
    dataDir,
    port = 0,
    args = [],
    env = {},
  }: { dataDir: string; port?: number; args?: string[]; env?: Record<string, string> },
): Promise<ServedCloud> {
  const words = ["serve", "--port", String(port), "--data-dir", dataDir, ...args];
  const child = machine.spawnCli(words, { env }) as ResultPromise;
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => / \(port \d+, /.test(said) || child.exitCode !== null, 90);
  const [, found, pid] = / \(port (\d+), pid (\d+)\)/.exec(said) ?? [];
  if (found === undefined) throw new Error(`the cloud did not start:\n${said}`);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    await child;
  };
  return {
    url: `http://127.0.0.1:${found}`,
    dataDir,
    stop: () => end("SIGTERM"),
    async kill() {
      process.kill(Number(pid), "SIGKILL");
      await end("SIGKILL");
      // One that is still ending holds its port and its folder.
      await until(() => !isAlive(Number(pid)));
    },
  };
}

export const EMAIL = "ada@example.org";
export const PASSWORD = "a long enough password";

/** Makes an account with this machine as its first device; returns the recovery code. */
export async function signUp(machine: TempHome, url: string, email = EMAIL): Promise<string> {
  const done = await machine.cli(["signup", "--server", url, "--email", email, "--password-stdin", "--json"], {
    input: `${PASSWORD}\n`,
  });
  const { recoveryCode } = parse(done) as { recoveryCode: string };
  return recoveryCode;
}

/** Pairs a new machine with one that is signed in, by code and digits, as two people at two keyboards would. */
export async function pair(from: TempHome, to: TempHome, url: string): Promise<{ deviceId: string }> {
  const newcomer = to.spawnCli(["pair", "--server", url, "--yes", "--json"]);
  const lines: Record<string, string>[] = [];
  let rest = "";
  newcomer.stdout?.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts.filter(Boolean).map((line) => JSON.parse(line) as Record<string, string>));
  });
  const line = async (type: string): Promise<Record<string, string>> => {
    const found = () => lines.find((each) => each["type"] === type);
    await until(() => found() !== undefined || newcomer.exitCode !== null, 30);
    const it = found();
    if (it === undefined) throw new Error(`the new device never said "${type}": ${String((await newcomer).stderr)}`);
    return it;
  };
  const { userCode = "" } = await line("code");
  // The digits show on the new device once the other one has looked the code up.
  const approving = from.spawnCli(["pair", "approve", userCode, "--digits-stdin", "--json"], { stdin: "pipe" });
  const { digits = "" } = await line("digits");
  approving.stdin?.end(`${digits}\n`);
  const approved = await approving;
  if (approved.exitCode !== 0) throw new Error(String(approved.stderr));
  const { deviceId = "" } = await line("joined");
  await newcomer;
  return { deviceId };
}

/** The JSON that a command printed; throws with what it said when it failed. */
export function parse({ exitCode, stdout, stderr }: CliResult): unknown {
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as unknown;
}

/** A machine of a person that has nothing in common with another one but the network. */
export const openMachine = (env: Record<string, string> = {}): TempHome => openTempHome(env);
