import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCaller, openCallers } from "./caller.ts";
import { findSocketInode, listsListener, type SocketEnds } from "./socket-inode.ts";

// Connects and stays; `nest` more shells stand between it and the process that carries the marker.
const CLIENT = `require("node:net").connect(Number(process.argv[1]), process.argv[2]); setInterval(() => {}, 1e6);`;
const started: ChildProcess[] = [];
let server: Server;

beforeEach(async () => {
  server = createServer().listen(0, "::", () => {});
  await once(server, "listening");
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch (error) {
      expect(error).toMatchObject({ code: "ESRCH" });
    }
  }
  server.close();
});

async function connectFrom(env: Record<string, string>, shell?: string, host = "127.0.0.1"): Promise<Socket> {
  const { port } = server.address() as { port: number };
  const words = [process.execPath, "-e", CLIENT, String(port), host];
  const command = shell === undefined ? words : ["/bin/sh", "-c", shell, "sh", ...words];
  const base = { PATH: process.env.PATH ?? "" };
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { ...base, ...env },
    stdio: "ignore",
    detached: true,
  });
  started.push(child);
  const [socket] = (await once(server, "connection")) as [Socket];
  socket.on("error", () => {});
  return socket;
}

function ends(socket: Socket): SocketEnds {
  const { remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 } = socket;
  return { remoteAddress, remotePort, localAddress, localPort };
}

describe.runIf(process.platform === "linux")("who stands at the other end", () => {
  it("a process of a person", async () => {
    expect(await findCaller(ends(await connectFrom({})))).toEqual({ runId: null });
  });

  it("a process of a run, over IPv4, IPv6 and IPv4 in IPv6", async () => {
    const marked = { CODEHANDS_RUN_ID: "run-1" };
    expect(await findCaller(ends(await connectFrom(marked)))).toEqual({ runId: "run-1" });
    expect(await findCaller(ends(await connectFrom(marked, undefined, "::1")))).toEqual({ runId: "run-1" });
    expect(await findCaller(ends(await connectFrom(marked, undefined, "::ffff:127.0.0.1")))).toEqual({
      runId: "run-1",
    });
  });

  it("a child of a run that was given an empty environment", async () => {
    const shell = `env -i PATH="$PATH" "$@" & wait`;
    expect(await findCaller(ends(await connectFrom({ CODEHANDS_RUN_ID: "run-2" }, shell)))).toEqual({ runId: "run-2" });
  });

  it("a peer that went away before anybody looked counts as a run", async () => {
    const socket = await connectFrom({});
    const before = ends(socket);
    const gone = once(socket, "close");
    process.kill(-(started[0]?.pid ?? 0), "SIGKILL");
    socket.resume();
    await gone;
    expect(await findCaller(before)).toEqual({ runId: "unknown" });
  });

  it("is looked up once per connection", async () => {
    let looks = 0;
    const callers = openCallers(async (given) => {
      looks += 1;
      return findCaller(given);
    });
    const socket = await connectFrom({ CODEHANDS_RUN_ID: "run-3" });
    expect(await callers(socket)).toEqual({ runId: "run-3" });
    expect(await callers(socket)).toEqual({ runId: "run-3" });
    expect(looks).toBe(1);
  });
});

it("systems without /proc know persons only", async () => {
  const given = { remoteAddress: "127.0.0.1", remotePort: 1, localAddress: "127.0.0.1", localPort: 2 };
  expect(await findCaller(given, "darwin")).toEqual({ runId: null });
});

describe("findSocketInode", () => {
  const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const row = (local: string, remote: string, inode: string) =>
    `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 20 4 30 10 -1\n`;
  const given = { remoteAddress: "127.0.0.1", remotePort: 40_000, localAddress: "127.0.0.1", localPort: 7433 };

  it("takes the peer's row, not our own", () => {
    const table = head + row("0100007F:1D09", "0100007F:9C40", "11") + row("0100007F:9C40", "0100007F:1D09", "22");
    expect(findSocketInode(table, given)).toBe("22");
  });
  it("knows IPv6 addresses", () => {
    const table = head + row("00000000000000000000000001000000:9C40", "00000000000000000000000001000000:1D09", "33");
    expect(findSocketInode(table, { ...given, remoteAddress: "::1", localAddress: "::1" })).toBe("33");
  });
  it("knows a program that talks IPv4 through an IPv6 socket", () => {
    const mapped = "0000000000000000FFFF00000100007F";
    expect(findSocketInode(head + row(`${mapped}:9C40`, `${mapped}:1D09`, "44"), given)).toBe("44");
  });
  it("a row without a holder is a peer that has gone", () => {
    expect(findSocketInode(head + row("0100007F:9C40", "0100007F:1D09", "0"), given)).toBeNull();
    expect(findSocketInode(head, given)).toBeNull();
  });
  it("a system that hides its connections is known by our own listener that is missing", () => {
    const listening = row("0100007F:1D09", "00000000:0000", "55").replace(" 01 ", " 0A ");
    expect(listsListener(head + listening, 7433)).toBe(true);
    expect(listsListener(head + row("0100007F:1D09", "0100007F:9C40", "11"), 7433)).toBe(false);
    expect(listsListener("", 7433)).toBe(false);
  });
});
