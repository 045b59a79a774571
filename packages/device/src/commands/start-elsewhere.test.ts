import { type Command, RECORD_KINDS } from "@codehands/contracts";
import { recordKey } from "@codehands/sync";
import { expect, test, vi } from "vitest";
import { commandId, LAPTOP, ME, replicaWorld, sessionId } from "../replica/other-device.test-kit.ts";
import { createReplicaSessions } from "../replica/replica-sessions.ts";

const PERSON = { runId: null };
const input = (change: object = {}) => ({
  commandId: commandId(1),
  sessionId: sessionId(1),
  repoPath: "/home/me/shop",
  prompt: "add PKCE",
  deviceId: LAPTOP,
  ...change,
});
const agents = [
  { agent: "codex", path: "/bin/codex", version: "1", signedIn: "unknown", provider: null },
  { agent: "air", path: null, version: null, signedIn: true, provider: null },
  { agent: "claude-code", path: "/bin/claude", version: "2", signedIn: true, provider: null },
];

async function world(change: Parameters<typeof replicaWorld>[0] = {}) {
  const made = replicaWorld({
    repoKeyAt: async (path) => (path === "/home/me/shop" ? "0123456789ab" : null),
    ...change,
  });
  await made.laptop.introduces({ agents });
  const commandOf = (n: number) =>
    JSON.parse(
      made.store.data.records.get(recordKey({ kind: RECORD_KINDS.command, id: commandId(n) }))?.body ?? "null",
    ) as Command | null;
  return { ...made, port: createReplicaSessions(made.deps), commandOf };
}

test("a session is started elsewhere: the repository travels by its key, the agent is one that is signed in there", async () => {
  const { port, commandOf } = await world();
  expect(await port.start(input({ model: "opus", budgetUsd: 2, title: "PKCE" }), PERSON)).toMatchObject({
    ok: true,
    session: null,
    pending: { state: "queued", device: { id: LAPTOP, name: "laptop" } },
  });
  expect(commandOf(1)).toMatchObject({
    sessionId: sessionId(1),
    targetDeviceId: LAPTOP,
    senderDeviceId: ME,
    expects: { status: [] },
    payload: {
      kind: "start",
      options: {
        sessionId: sessionId(1),
        prompt: "add PKCE",
        agent: "claude-code",
        model: "opus",
        budgetUsd: 2,
        title: "PKCE",
        repoKey: "0123456789ab",
        taskId: commandId(900),
      },
    },
  });
  expect(JSON.stringify(commandOf(1))).not.toContain("/home/me");
});

test("a device without checkouts names a repository of the account by its key", async () => {
  const { port, commandOf, laptop } = await world({ repoKeyAt: async () => null });
  expect(await port.start(input({ repoPath: "cafecafecafe" }), PERSON)).toMatchObject({
    ok: false,
    code: "repo_missing",
  });
  await laptop.writes({ kind: RECORD_KINDS.repo, id: sessionId(50) }, { repoKey: "cafecafecafe", name: "shop" });
  expect(await port.start(input({ repoPath: "cafecafecafe", agent: "codex" }), PERSON)).toMatchObject({ ok: true });
  expect(commandOf(1)?.payload).toMatchObject({ options: { repoKey: "cafecafecafe", agent: "codex" } });
});

test("nothing is sent where it could not run", async () => {
  const { port, laptop, commandOf } = await world();
  expect(await port.start(input({ repoPath: "/elsewhere" }), PERSON)).toMatchObject({
    ok: false,
    code: "repo_missing",
  });
  for (const deviceId of [undefined, ME])
    expect(await port.start(input({ deviceId }), PERSON)).toMatchObject({
      ok: false,
      code: "not_found",
      next: "devices",
    });
  await laptop.introduces({ agents: [{ agent: "codex", path: "/bin/codex", signedIn: false }] });
  expect(await port.start(input(), PERSON)).toMatchObject({
    ok: false,
    code: "not_found",
    reason: expect.stringContaining("--agent"),
  });
  expect(commandOf(1)).toBeNull();
});

test("the session that its owner tells of in time is in the answer", async () => {
  const { port, laptop, commandOf } = await world({ patienceMs: 20_000 });
  const answer = port.start(input(), PERSON);
  await vi.waitFor(() => expect(commandOf(1)).not.toBeNull(), 20_000);
  await laptop.outcome(commandId(1), { state: "done" });
  await laptop.session(1, { status: "queued" });
  expect(await answer).toMatchObject({ ok: true, session: { id: sessionId(1), status: "queued" } });
});

test("the session that was started is the answer once its owner has told of it", async () => {
  const { port, laptop } = await world();
  await port.start(input(), PERSON);
  await laptop.outcome(commandId(1), { state: "done", result: { sessionId: sessionId(1) } });
  await laptop.session(1, { status: "queued" });
  expect(await port.start(input(), PERSON)).toMatchObject({ ok: true, session: { status: "queued" } });
});
