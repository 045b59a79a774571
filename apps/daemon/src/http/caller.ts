import { readdirSync, readlinkSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Caller } from "@codehands/api";
import { findSocketInode, listsListener, type SocketEnds } from "./socket-inode.ts";

const PERSON: Caller = { runId: null };
/** Stands for a caller that was gone before anybody could look at it. */
const GONE: Caller = { runId: "unknown" };
const PROCESSES_PER_TURN = 32;
const MARKER = "CODEHANDS_RUN_ID=";

/**
 * Who stands at the other end of a loopback connection: the run whose process, or whose descendant, it is, or a
 * person. A peer that has gone already counts as a run, else an agent could send a decision and vanish. A process
 * that cannot be looked into (another user's, a forwarded connection) counts as a person: it had to show the token.
 * On systems that do not show their connections in /proc every caller counts as a person.
 */
export async function findCaller(ends: SocketEnds, platform: NodeJS.Platform = process.platform): Promise<Caller> {
  if (platform !== "linux") return PERSON;
  const tables = await readTables();
  const inode = findSocketInode(tables, ends);
  if (inode === null) return listsListener(tables, ends.localPort) ? GONE : PERSON;
  const pid = await ownerOf(inode);
  if (pid !== null) return { runId: await runAbove(pid) };
  // Nobody whom we may look at holds it: either somebody else does, or its process went away while we looked.
  return findSocketInode(await readTables(), ends) === inode ? PERSON : GONE;
}

/** Remembers the caller of each connection: one connection belongs to one process. */
export function openCallers(find: (ends: SocketEnds) => Promise<Caller> = findCaller) {
  const known = new WeakMap<Socket, Promise<Caller>>();
  return (socket: Socket): Promise<Caller> => {
    const before = known.get(socket);
    if (before !== undefined) return before;
    const { remoteAddress, remotePort, localAddress, localPort } = socket;
    const caller =
      remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined
        ? Promise.resolve(GONE)
        : find({ remoteAddress, remotePort, localAddress, localPort });
    known.set(socket, caller);
    return caller;
  };
}

async function readTables(): Promise<string> {
  const read = (name: string): Promise<string> => readFile(`/proc/net/${name}`, "latin1").catch(() => "");
  return (await Promise.all([read("tcp"), read("tcp6")])).join("\n");
}

async function ownerOf(inode: string): Promise<number | null> {
  const wanted = `socket:[${inode}]`;
  const names = await readdir("/proc");
  // The youngest first: whoever calls was most likely started to call.
  const pids = names.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid);
  pids.sort((a, b) => b - a);
  for (const [index, pid] of pids.entries()) {
    // Reading one process is a matter of microseconds, but there may be thousands: others get their turn.
    if (index % PROCESSES_PER_TURN === PROCESSES_PER_TURN - 1) await nextTurn();
    if (holdsSocket(pid, wanted)) return pid;
  }
  return null;
}

/** False also for a process that has gone, or that we may not look into. */
function holdsSocket(pid: number, wanted: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => targetOf(`/proc/${pid}/fd/${fd}`) === wanted);
  } catch {
    return false;
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

async function runAbove(pid: number): Promise<string | null> {
  let current = pid;
  // The parents are walked too: a child that was given an empty environment is still the agent's.
  for (let step = 0; step < 64 && current > 1 && current !== process.pid; step += 1) {
    const environment = await readFile(`/proc/${current}/environ`, "utf8").catch(() => "");
    const marker = environment.split("\0").find((entry) => entry.startsWith(MARKER));
    if (marker !== undefined) return marker.slice(MARKER.length) || "unknown";
    const line = await readFile(`/proc/${current}/stat`, "latin1").catch(() => "");
    // The name in brackets may hold anything, so fields are counted after the last bracket.
    const parent = Number(line.slice(line.lastIndexOf(")") + 2).split(" ")[1]);
    if (!Number.isInteger(parent)) return null;
    current = parent;
  }
  return null;
}
