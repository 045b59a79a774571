import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { createInProcessClient } from "./in-process-client.ts";
import { createLocalRouter } from "./local.ts";
import { COMMAND_ID, memoryDevice, SESSION_ID } from "./memory-ports.test-kit.ts";

const person = { runId: null };

function inProcess(caller: { runId: string | null } = person) {
  const device = memoryDevice();
  const faults: unknown[] = [];
  const client = createInProcessClient(createLocalRouter(), { ports: device.ports, caller }, (fault) =>
    faults.push(fault),
  );
  return { ...device, client, faults };
}

test("calls reach the ports of the same process, with inputs checked and answers typed", async () => {
  const { client, calls } = inProcess();
  const page = await client.sessions.list.query({});
  expect(page.sessions[0]).toMatchObject({ id: SESSION_ID });
  expect(calls).toEqual([{ name: "sessions.list", args: [{ limit: 50 }] }]);
  await client.sessions.stop.mutate({ commandId: COMMAND_ID, sessionId: SESSION_ID });
  expect(calls.at(-1)).toMatchObject({ name: "sessions.stop", args: [{ sessionId: SESSION_ID, expects: [] }, person] });
});

test("failed calls throw the same error as over a connection, and a bug tells nothing of the inside", async () => {
  const { client, ports, faults } = inProcess();
  const wrong = await client.sessions.get.query({ sessionId: "no id" }).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(ApiError);
  expect(wrong).toMatchObject({ code: "bad_request", message: expect.stringContaining("sessionId") });
  ports.sessions.diff = () =>
    Promise.reject(Object.assign(new Error("2 of 3 parts have arrived."), { code: "not_found" }));
  await expect(client.sessions.diff.query({ sessionId: SESSION_ID })).rejects.toMatchObject({
    code: "not_found",
    message: "2 of 3 parts have arrived.",
  });
  expect(faults).toEqual([]);
  const bug = new Error("the inside");
  ports.sessions.get = () => Promise.reject(bug);
  await expect(client.sessions.get.query({ sessionId: SESSION_ID })).rejects.toMatchObject({
    code: "internal",
    message: expect.not.stringContaining("the inside"),
  });
  expect(faults).toEqual([{ path: "sessions.get", error: bug }]);
});

test("a caller that is an agent's run decides nothing here either", async () => {
  const { client, calls } = inProcess({ runId: "r1" });
  const input = { commandId: COMMAND_ID, sessionId: SESSION_ID, treeId: "b".repeat(40) };
  expect(await client.sessions.approve.mutate(input)).toMatchObject({ ok: false, code: "agent_may_not" });
  expect(calls).toEqual([]);
});

test("a stream brings each event once and ends when it is left", async () => {
  const { client, add, watchedFrom } = inProcess();
  const frames = client.sessions.watch.subscribe({ sessionId: SESSION_ID, afterSeq: 1 });
  const seen: string[] = [];
  while (seen.at(-1) !== "event 4") {
    const { value, done } = await frames.next();
    if (done) throw new Error(`the stream ended after ${seen.join(", ")}`);
    seen.push(`${value.data.kind} ${value.id}`);
    if (value.id === "3") add(4);
  }
  expect(seen).toEqual(["session 1", "event 2", "event 3", "event 4"]);
  await frames.return?.();
  expect(watchedFrom).toEqual([1]);
});
