import { parse } from "./many-homes.ts";
import { type TempHome, until } from "./temp-home.ts";

/** Exit code of a command that was sent and is not answered yet. */
const QUEUED = 8;

/** What of a session's JSON the tests look at. */
export interface SessionJson {
  id: string;
  title: string;
  status: string;
  branch: string;
  treeId: string;
  lastSeq: number;
  continuesId: string | null;
  device: { id: string; name: string };
}

export interface EventLine {
  id: string;
  seq: number;
  type: string;
}

/** What of `sync status --json` the tests look at. */
export interface SyncJson {
  state: string;
  ask: string | null;
  error: string | null;
  pendingPush: { events: number; records: number };
  lastRoundTripAt: string;
  suspicions: unknown[];
  refused: unknown[];
}

/** Starts a session of the machine's scripted agent and does not wait for it. */
export async function startSession(machine: TempHome, repo: string): Promise<string> {
  const run = await machine.cli(["run", "count", "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  return (parse(run) as { id: string }).id;
}

/** Null while the machine does not know the session. */
export async function show(machine: TempHome, id: string): Promise<SessionJson | null> {
  const done = await machine.cli(["show", id, "--json"]);
  return done.exitCode === 0 ? (JSON.parse(done.stdout) as SessionJson) : null;
}

export async function list(machine: TempHome): Promise<SessionJson[]> {
  return (parse(await machine.cli(["ls", "--json"])) as { sessions: SessionJson[] }).sessions;
}

export async function log(machine: TempHome, id: string): Promise<EventLine[]> {
  return linesOf((await machine.cli(["logs", id, "--json", "-n", "1000"])).stdout);
}

export async function sync(machine: TempHome): Promise<SyncJson> {
  return parse(await machine.cli(["sync", "status", "--json"])) as SyncJson;
}

export function linesOf(stdout: string): EventLine[] {
  return stdout
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EventLine);
}

export function statusAt(machine: TempHome, id: string, status: string): Promise<void> {
  return until(async () => (await show(machine, id))?.status === status, 90);
}

/** Approves wherever the session's owner is. One that is slow to answer is waited for, as a person would. */
export async function approve(machine: TempHome, id: string): Promise<void> {
  const { exitCode, stderr } = await machine.cli(["approve", id]);
  if (exitCode !== 0 && exitCode !== QUEUED) throw new Error(`exit code ${exitCode}: ${stderr}`);
  await statusAt(machine, id, "approved");
}
