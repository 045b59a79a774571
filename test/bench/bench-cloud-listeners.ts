import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foundAccount } from "@codehands/cloud/test-cloud";
import type { BenchRow } from "./measure.ts";

const MAIN = new URL("../../apps/cloud/dist/main.js", import.meta.url).pathname;
const LISTENERS = 1_000;
const STEP = 100;
/** How long sockets that were left may take to go. */
const GONE_WITHIN_MS = 30_000;

/** A thousand idle listeners of one real cloud process: memory of each by slope, and how soon they are gone again. */
export async function benchListeners(): Promise<BenchRow[]> {
  const home = mkdtempSync(join(tmpdir(), "codehands-bench-"));
  const cloud = await startCloud(home);
  try {
    const { device } = await foundAccount(cloud.url);
    const listen = () => openListener(cloud.port, device.token);
    // What a first stream makes once, and the code paths, are there before anything is measured.
    await endAll(await openMany(STEP, listen));
    await until(() => socketsOf(cloud.pid) <= cloud.sockets + 1);
    const idle = socketsOf(cloud.pid);
    const open: Socket[] = [];
    const memory: { count: number; bytes: number }[] = [];
    while (open.length <= LISTENERS) {
      await settle();
      memory.push({ count: open.length, bytes: residentBytes(cloud.pid) });
      if (open.length === LISTENERS) break;
      open.push(...(await openMany(STEP, listen)));
    }
    const held = socketsOf(cloud.pid) - idle;
    const left = performance.now();
    await endAll(open);
    const isGone = await until(() => socketsOf(cloud.pid) <= idle);
    const gone = isGone
      ? `0 after ${((performance.now() - left) / 1_000).toFixed(1)} s`
      : `${socketsOf(cloud.pid) - idle} left`;
    return [
      {
        name: `${LISTENERS} idle listeners, memory of each`,
        value: `${(slope(memory) / 1024).toFixed(1)} KB`,
        goal: "< 40 KB by slope",
        detail: `resident ${mb(memory[0]?.bytes)} with none, ${mb(memory.at(-1)?.bytes)} with ${held}`,
      },
      { name: "the same, once they have left", value: gone, goal: "0 within 30 s", detail: `of ${held} open sockets` },
    ];
  } finally {
    await cloud.end();
    rmSync(home, { recursive: true, force: true });
  }
}

const mb = (bytes = Number.NaN): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

async function startCloud(home: string) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, NODE_ENV: "production", CODEHANDS_CLOUD_PORT: "0" };
  const child: ChildProcess = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (part: Buffer) => (said += part.toString()));
  const form = /listening on (\S+) \(port (\d+), pid (\d+)\)/;
  if (!(await until(() => form.test(said) || child.exitCode !== null, 90_000)) || !form.test(said))
    throw new Error(`The cloud did not start: ${said}`);
  const [, url = "", port, pid] = form.exec(said) ?? [];
  return {
    url,
    port: Number(port),
    pid: Number(pid),
    sockets: socketsOf(Number(pid)),
    async end() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A stream of pokes that has shown its first head. */
function openListener(port: number, token: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET /trpc/live.watch?input=%7B%7D HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    let said = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      if (said.includes('"head"')) resolve(socket);
    });
    socket.once("error", reject);
    socket.once("close", () => reject(new Error(`a stream was refused: ${said.slice(0, 200)}`)));
  });
}

const openMany = (count: number, listen: () => Promise<Socket>): Promise<Socket[]> =>
  Promise.all(Array.from({ length: count }, listen));

async function endAll(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(
    sockets.map((socket) => {
      const closed = once(socket, "close");
      socket.destroy();
      return closed;
    }),
  );
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

function socketsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;
}

/** Bytes for each one more, by least squares. */
function slope(points: readonly { count: number; bytes: number }[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(({ count }) => count)), mean(points.map(({ bytes }) => bytes))];
  const together = points.reduce((sum, { count, bytes }) => sum + (count - x) * (bytes - y), 0);
  return together / points.reduce((sum, { count }) => sum + (count - x) ** 2, 0);
}

/** Time for a garbage collection that is due. */
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

async function until(condition: () => boolean, ms = GONE_WITHIN_MS): Promise<boolean> {
  const end = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}
