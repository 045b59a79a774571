import { createLocalClient, type LocalClient } from "@codehands/api/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LocalServer, startLocalServer } from "../local-server.test-kit.ts";
import { RUNNING, WAITING } from "../memory-device.test-kit.ts";
import { followSession } from "./follow-session.ts";

let server: LocalServer;
beforeEach(async () => {
  server = await startLocalServer();
});
afterEach(() => server.close());

const clientOf = ({ file }: LocalServer): LocalClient =>
  createLocalClient({ url: `http://127.0.0.1:${file.port}`, token: file.token });
const findAgain = async (): Promise<null> => null;

test("every event once and in order, before and after the follower came", async () => {
  const seqs: number[] = [];
  for (let at = 0; at < 1_200; at += 1) server.device.add(RUNNING, "message", { text: `${at}` });
  const ended = await followSession({
    client: clientOf(server),
    sessionId: RUNNING,
    findAgain,
    onEvent({ seq }) {
      seqs.push(seq);
      if (seq === 1_200) server.device.add(RUNNING, "message", { text: "one more" });
      if (seq === 1_201) server.device.change(RUNNING, { status: "stopped", reason: "person" });
    },
  });
  expect(ended).toMatchObject({ status: "stopped", reason: "person" });
  expect(seqs).toEqual(Array.from({ length: 1_201 }, (_, at) => at + 1));
});

test("a session that has ended already is handed out from its stored events", async () => {
  server.device.add(WAITING, "message", { text: "a" });
  server.device.add(WAITING, "task.finished", {});
  const types: string[] = [];
  const options = { client: clientOf(server), sessionId: WAITING, findAgain };
  const ended = await followSession({ ...options, onEvent: ({ type }) => void types.push(type) });
  expect(ended?.status).toBe("awaiting_approval");
  expect(types).toEqual(["message", "task.finished"]);
});

test("a restarted daemon on another port is found again, and no event is lost or told twice", async () => {
  let next: LocalServer | null = null;
  const seqs: number[] = [];
  const restart = async (): Promise<void> => {
    await server.stop();
    server.device.add(RUNNING, "message", { text: "while nobody served" });
    next = await startLocalServer({ home: server.home, device: server.device });
  };
  server.device.add(RUNNING, "message", { text: "first" });
  const ended = await followSession({
    client: clientOf(server),
    sessionId: RUNNING,
    findAgain: async () => next && clientOf(next),
    onEvent({ seq }) {
      seqs.push(seq);
      if (seq === 1) void restart();
      if (seq === 2) server.device.change(RUNNING, { status: "awaiting_approval" });
    },
  });
  await next!.stop();
  expect(seqs).toEqual([1, 2]);
  expect(ended?.status).toBe("awaiting_approval");
});

test("a daemon that stays away ends the following with exit 7, and says that the agent goes on", async () => {
  server.device.add(RUNNING, "message", { text: "first" });
  const following = followSession({
    client: clientOf(server),
    sessionId: RUNNING,
    findAgain,
    patienceMs: 50,
    onEvent: () => void server.stop(),
  });
  await expect(following).rejects.toMatchObject({ exitCode: 7, hint: "codehands logs 7abc0000 -f" });
});

test("an abort ends it with null, also while the daemon is away", async () => {
  const leaving = new AbortController();
  server.device.add(RUNNING, "message", { text: "first" });
  const options = { client: clientOf(server), sessionId: RUNNING, signal: leaving.signal };
  expect(await followSession({ ...options, findAgain, onEvent: () => leaving.abort() })).toBeNull();
  const later = new AbortController();
  const away = followSession({
    ...options,
    signal: later.signal,
    onEvent: () => void server.stop(),
    findAgain: async () => {
      later.abort();
      return null;
    },
  });
  expect(await away).toBeNull();
});

test("an unknown session is exit 3", async () => {
  const options = { client: clientOf(server), sessionId: "00000000-0000-4000-8000-000000000000", findAgain };
  await expect(followSession(options)).rejects.toMatchObject({ exitCode: 3 });
});
