/** What a person at a terminal gets where a pipe gets something else. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { callCli } from "../call-cli.test-kit.ts";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { DIFF, sessionOf, WAITING } from "../memory-device.test-kit.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const call = (words: string[], o: { tty?: boolean; input?: string; variables?: Record<string, string> } = {}) =>
  callCli(words, { home: server.home, ...o });

test("codehands alone: the dashboard on a terminal, the help in a pipe", async () => {
  expect((await call([], { tty: true })).stdout).toMatch(/^1 session waits for you\nSTATUS/);
  expect((await call([])).stdout).toMatch(/^Usage: codehands/);
  expect((await call(["--json"], { tty: true })).stdout).toMatch(/^\{\n {2}"sessions": \[/);
});

test("diff: a page on a terminal, the bytes of the patch in a pipe with the warnings on stderr", async () => {
  const evil = "+a\u001b]52;c;eA==\u0007\u202e";
  server.device.diff = { ...DIFF, patch: `${DIFF.patch}${evil}\n`, configChanged: [".git/hooks/pre-commit"] };
  const page = await call(["diff", "3f0f"], { tty: true });
  expect(page.stdout).toContain("+a^[]52;c;eA==^G<U+202E>");
  expect(page.stdout).toContain(".git/hooks/pre-commit");
  const piped = await call(["diff", "3f0f"]);
  expect(piped.stdout).toBe(`${DIFF.patch}${evil}\n`);
  expect(piped.stderr).toContain("the agent changed git's own configuration or hooks");
});

test("diff of a session that left nothing is exit 3", async () => {
  server.device.diff = null;
  const { exitCode, stderr } = await call(["diff", "3f0f"]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain("Session 3f0f3e1e is waiting and has no change to show.");
});

test("logs: words for a person, lines for a program, the agent's own lines with --raw", async () => {
  server.device.addRaw(WAITING, {
    type: "message",
    payload: { text: "hello \u001b[31mred" },
    raw: '{"type":"assistant","n":1}',
  });
  server.device.add(WAITING, "file.changed", { path: "a.ts", change: "add" });
  expect((await call(["logs", "3f0f"])).stdout).toBe("  00:01  hello red\n  00:02  Created a.ts\n");
  const lines = (await call(["logs", "3f0f", "--json"])).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { seq: 1, type: "message" },
    { seq: 2, payload: { path: "a.ts" } },
  ]);
  expect((await call(["logs", "3f0f", "-n", "1", "--json"])).stdout).toMatch(/^\{[^\n]*"seq":2[^\n]*\}\n$/);
  expect((await call(["logs", "3f0f", "--since-seq", "1"])).stdout).toBe("  00:02  Created a.ts\n");
  expect((await call(["logs", "3f0f", "--type", "message"])).stdout).toBe("  00:01  hello red\n");
  expect((await call(["logs", "3f0f", "--raw"])).stdout).toBe('{"type":"assistant","n":1}\n');
});

test("logs -f goes on until the session has ended, also with --raw", async () => {
  const id = server.device.sessions.get("7abc0000-5a1c-4d1e-9b1a-0c1d2e3f4a5b")?.id ?? "";
  server.device.addRaw(id, { type: "message", payload: { text: "one" }, raw: '{"n":1}' });
  const { events } = server.device.ports.sessions;
  let asked = 0;
  server.device.ports.sessions.events = async (query) => {
    const page = await events(query);
    asked += 1;
    if (asked === 1) {
      setImmediate(() => {
        server.device.addRaw(id, { type: "message", payload: { text: "two" }, raw: '{"n":2}' });
        server.device.change(id, { status: "stopped", reason: "person" });
      });
    }
    return page;
  };
  const { exitCode, stdout } = await call(["logs", "7abc", "-f", "--raw"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{"n":1}\n{"n":2}\n' });
});

test("ls: what waits is listed although it is older than a page", async () => {
  const { device } = server;
  const old = device.sessions.get(WAITING) ?? sessionOf();
  device.sessions.delete(WAITING);
  for (let at = 0; at < 60; at += 1) {
    const id = `1000${String(at).padStart(4, "0")}-0000-4000-8000-000000000000`;
    device.sessions.set(id, sessionOf({ id, shortId: id.slice(0, 8), status: "approved" }));
  }
  device.sessions.set(WAITING, old);
  const { stdout, stderr } = await call(["ls"]);
  expect(stdout.split("\n")[1]).toContain("3f0f3e1e");
  expect(stderr).toBe("There are more.   codehands ls --cursor 50\n");
  expect((await call(["ls", "--cursor", "50", "-q"])).stdout.trim().split("\n")).toHaveLength(13);
});

test("ls: nothing is a success, and a session that cannot be read is told", async () => {
  server.device.ports.sessions.list = async () => ({ sessions: [], unreadable: 2, nextCursor: null });
  expect(await call(["ls"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "warning: 2 sessions could not be read and are left out.\nNo sessions.\n",
  });
});

test("an ambiguous name is exit 2 and names the sessions it may mean", async () => {
  const id = "3f0f0000-0000-4000-8000-000000000000";
  server.device.sessions.set(id, sessionOf({ id, shortId: "3f0f0000", status: "approved" }));
  const { exitCode, stderr } = await call(["show", "3f0f"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("'3f0f' means 2 sessions: 3f0f3e1e, 3f0f0000.");
  // Hints name it longer then, so that they can be used as they are.
  expect((await call(["show", "3f0f3"])).stdout).toContain("codehands approve 3f0f3e1e");
});

test("clean on a terminal shows what it would remove and asks", async () => {
  const no = await call(["clean"], { tty: true, input: "n\n" });
  expect(no).toMatchObject({ exitCode: 10, stdout: "" });
  expect(no.stderr).toContain("Would remove 1 worktree, 1.5 kB.\n  /w/old\n");
  expect(server.device.arrived.map(({ input }) => input.dryRun)).toEqual([true]);
  expect((await call(["clean"], { tty: true, input: "yes\n" })).stdout).toContain("Removed 1 worktree");
});

test("clean names what is emptied from the trash, what is kept and why", async () => {
  server.device.cleaned = {
    removed: [],
    bytes: 2_500_000,
    kept: [{ path: "/w/odd", why: "belongs to no session" }],
    trash: { removed: 2, bytes: 2_500_000 },
  };
  const { stdout } = await call(["clean", "--orphans"], { tty: true, input: "y\n" });
  expect(stdout).toBe("Removed 2 sessions from the trash, 2.5 MB.\nKept 1 folder:\n  /w/odd: belongs to no session\n");
  server.device.cleaned = { removed: [], bytes: 0, kept: [], trash: { removed: 0, bytes: 0 } };
  const nothing = await call(["clean"], { tty: true, input: "y\n" });
  expect(nothing.stderr).toBe("Nothing to remove.\n");
});

test("repos trust shows the settings and asks; no leaves them untrusted", async () => {
  const o = { home: server.home, cwd: import.meta.dirname, tty: true };
  const no = await callCli(["repos", "trust"], { ...o, input: "no\n" });
  expect(no.exitCode).toBe(10);
  expect(no.stderr).toContain('.codehands.json asks for:\n  testCommands = ["pnpm test"]\n');
  expect((await server.device.ports.repos.trustState("/x")).trusted).toBe(false);
  expect((await callCli(["repos", "trust"], { ...o, input: "y\n" })).exitCode).toBe(0);
  expect((await server.device.ports.repos.trustState("/x")).trusted).toBe(true);
});

test("stop --all goes on when one has ended meanwhile, and tells it", async () => {
  const id = "20000000-0000-4000-8000-000000000000";
  server.device.sessions.set(id, sessionOf({ id, shortId: "20000000", status: "queued" }));
  const { stop } = server.device.ports.sessions;
  server.device.ports.sessions.stop = async (input, caller) => {
    if (input.sessionId === id) return stop(input, caller);
    const reason = "Session 7abc is stopped, so there is nothing to stop.";
    return { ok: false, code: "illegal_move", reason, next: "show", session: null };
  };
  const { exitCode, stdout, stderr } = await call(["stop", "--all"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "■ Stopped 2000. Its work is kept.\n" });
  expect(stderr).toContain("nothing to stop");
});
