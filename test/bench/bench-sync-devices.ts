import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalClient, type LocalClient } from "@codehands/api/client";
import { makeSampleRepo } from "@codehands/runner";
import { openMachine, pair, parse, serveCloud, signUp } from "../kit/many-homes.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { type TempHome, until } from "../kit/temp-home.ts";
import { type BenchRow, median, ms } from "./measure.ts";
import { seedHome } from "./seed-home.ts";

const TICKS = 200;
const MANY = 10_000;
const SESSIONS = 1_000;
const EVENTS = 1_000;

/** A cloud, and two devices of one account: three kinds of processes with nothing but HTTP between them. */
export async function benchSyncDevices(): Promise<BenchRow[]> {
  const host = openMachine();
  const laptop = openMachine();
  const desk = openMachine();
  const repo = join(laptop.root, "repo");
  await makeSampleRepo(repo);
  const cloud = await serveCloud(host, { dataDir: join(host.root, "cloud") });
  try {
    const ticks = { count: { to: TICKS, everyMs: 40, textBytes: 300 } };
    const script = scriptedAgent(join(laptop.root, "script.json"), [{ init: {} }, ticks, { result: {} }]);
    const many = scriptedAgent(join(laptop.root, "many.json"), [
      { init: {} },
      { waitFor: join(laptop.root, "go") },
      { raw: Array.from({ length: MANY }, (_, index) => line(index)).join("") },
      { result: {} },
    ]);
    Object.assign(laptop.env, asClaude(script));
    await signUp(laptop, cloud.url);
    await pair(laptop, desk, cloud.url);
    const single = await followBoth(laptop, desk, repo);
    const delays = single.map(({ at, seen }) => seen - at).sort((a, b) => a - b);
    await laptop.cli(["daemon", "stop"]);
    Object.assign(laptop.env, asClaude(many));
    const flood = await floodBoth(laptop, desk, repo);
    return [
      {
        name: "one event, append on A → visible on B",
        value: `p50 ${ms(quantile(delays, 0.5))} p95 ${ms(quantile(delays, 0.95))}`,
        goal: "p50 < 40 ms, p95 < 120 ms",
        detail: `${delays.length} events, 40 ms apart; the owner's own watcher is the clock`,
      },
      {
        name: `${MANY} events at once, append on A → in B's store`,
        value: ms(flood.whole),
        goal: "≤ 600 ms",
        detail: `the agent and A's own store take ${ms(flood.own)} of it`,
      },
      ...(await benchNewDevice()),
    ];
  } finally {
    await laptop.remove();
    await desk.remove();
    await cloud.stop();
    await host.remove();
  }
}

interface Seen {
  /** When A's watcher and B's watcher had the event, ms of one clock. */
  at: number;
  seen: number;
}

/** Starts a session on A and follows it on both devices until it waits. */
async function followBoth(a: TempHome, b: TempHome, repo: string): Promise<Seen[]> {
  const run = await a.cli(["run", "bench", "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  const { id } = parse(run) as { id: string };
  await until(async () => (await b.cli(["show", id, "--json"])).exitCode === 0, 60);
  const [onA, onB] = [new Map<number, number>(), new Map<number, number>()];
  const watching = [watch(clientOf(a), id, onA), watch(clientOf(b), id, onB)];
  await until(() => onA.size > 0 && onB.size > 0, 60);
  await Promise.all(watching);
  return [...onA].sort(([x], [y]) => x - y).map(([seq, at]) => ({ at, seen: onB.get(seq) ?? Number.NaN }));
}

/** An agent that prints everything at once: from A's first event to the last one on A, and on B. */
async function floodBoth(a: TempHome, b: TempHome, repo: string): Promise<{ own: number; whole: number }> {
  const run = await a.cli(["run", "bench", "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  const { id: sessionId } = parse(run) as { id: string };
  const [onA, onB] = [clientOf(a), clientOf(b)];
  await until(async () => (await onB.sessions.get.query({ sessionId })) !== null, 60);
  // Opening a session is what makes its events come.
  await onB.sessions.events.query({ sessionId });
  const seqA = async () => (await onA.sessions.get.query({ sessionId }))?.lastSeq ?? 0;
  const seqB = async () => (await onB.sessions.get.query({ sessionId }))?.remote?.heldSeq ?? 0;
  const last = MANY + 2;
  const when = async (reached: () => Promise<boolean>) => {
    // Each look costs the daemon some of the time that is measured.
    while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 20));
    return performance.now();
  };
  // The agent's own start is no part of it: it has begun, and waits for the word.
  await when(async () => (await seqA()) >= 1);
  const first = await seqA();
  writeFileSync(join(a.root, "go"), "");
  const began = await when(async () => (await seqA()) > first);
  const [own, whole] = await Promise.all([
    when(async () => (await seqA()) >= last),
    when(async () => (await seqB()) >= last),
  ]);
  return { own: own - began, whole: whole - began };
}

/** Notes when each event came, until the run has ended. */
function watch(client: LocalClient, sessionId: string, seen: Map<number, number>): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = client.sessions.watch.subscribe(
      { sessionId },
      {
        onData({ data }) {
          if (data.kind !== "event") return;
          seen.set(data.event.seq, performance.now());
          if (!/^task\.(finished|failed|stopped)$/.test(data.event.type)) return;
          stream.unsubscribe();
          resolve();
        },
        onError: reject,
      },
    );
  });
}

function clientOf(machine: TempHome): LocalClient {
  const file = machine.daemon();
  if (file === null) throw new Error("no daemon");
  return createLocalClient({ url: `http://127.0.0.1:${file.port}`, token: file.token });
}

/** A device that joins an account with a long history. */
async function benchNewDevice(): Promise<BenchRow[]> {
  const host = openMachine();
  const laptop = openMachine();
  const desk = openMachine();
  const cloud = await serveCloud(host, { dataDir: join(host.root, "cloud") });
  try {
    await laptop.cli(["daemon", "start"]);
    await laptop.cli(["daemon", "stop"]);
    const ids = seedHome(join(laptop.home, "state.db"), { sessions: SESSIONS, events: EVENTS, newId: randomUUID });
    await laptop.cli(["daemon", "start"]);
    await signUp(laptop, cloud.url);
    const began = performance.now();
    await until(async () => {
      const { pendingPush } = await clientOf(laptop).sync.status.query();
      return pendingPush.events + pendingPush.records === 0 && performance.now() - began > 2_000;
    }, 600);
    const up = performance.now() - began;
    await pair(laptop, desk, cloud.url);
    const joined = performance.now();
    const client = clientOf(desk);
    // Each look costs the device something: it asks how far the sync is, which costs least, and lists when all is here.
    const isHere = ({ cursor, head }: { cursor: number; head: number }) => head > SESSIONS && cursor === head;
    while (!isHere(await client.sync.status.query())) await new Promise((resolve) => setTimeout(resolve, 50));
    const { sessions } = await client.sessions.list.query({ limit: 500 });
    if (sessions.length !== 500) throw new Error(`${sessions.length} sessions instead of 500`);
    const listed = performance.now() - joined;
    const newest: number[] = [];
    for (const sessionId of ids.slice(0, 9)) {
      const start = performance.now();
      const page = await client.sessions.events.query({ sessionId, newest: true, limit: 200 });
      if (page.events.length !== 200) throw new Error(`${page.events.length} events instead of 200`);
      newest.push(performance.now() - start);
    }
    return [
      {
        name: `new device, ${SESSIONS} sessions: all here, newest 500 listed`,
        value: ms(listed),
        goal: "< 1 s",
        detail: `after the pairing; the history of ${SESSIONS * EVENTS} events went up in ${ms(up)}`,
      },
      {
        name: "new device: newest 200 events of a session",
        value: ms(median(newest)),
        goal: "< 100 ms",
        detail: `of ${EVENTS}, never opened before; slowest of 9 ${ms(Math.max(...newest))}`,
      },
    ];
  } finally {
    await laptop.remove();
    await desk.remove();
    await cloud.stop();
    await host.remove();
  }
}

/** One line as Claude Code prints it; nothing but its text is read. */
const line = (index: number) => {
  const content = [{ type: "text", text: `line ${index} ${"x".repeat(300)}` }];
  const message = { id: `m${index}`, role: "assistant", content };
  return `${JSON.stringify({ type: "assistant", message, parent_tool_use_id: null, session_id: "s" })}\n`;
};

const quantile = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
