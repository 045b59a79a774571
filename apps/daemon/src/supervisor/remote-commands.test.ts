import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { CommandAuthority } from "@codehands/client";
import { afterEach, describe, expect, it } from "vitest";
import { outcomeTexts } from "../commands/command-rows.ts";
import { inTransaction } from "../database/transaction.ts";
import { touchClone } from "../repos/clone-rows.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { openHome, PERSON, removeHome, SENDER, type SupervisedHome } from "./supervised-home.test-kit.ts";

let home: SupervisedHome;
let verdict: ReturnType<CommandAuthority["judge"]> = { ok: true };
const open = async (): Promise<SupervisedHome> => {
  home = await openHome({ judge: () => verdict });
  return home;
};
afterEach(async () => {
  verdict = { ok: true };
  await home.close();
  removeHome(home.dir);
});

const REPO = "abcdefabcdef";
function start(over: object = {}) {
  const sessionId = randomUUID();
  const options = { sessionId, prompt: "Work\nsay a\nfinish", agent: "sample", repoKey: REPO, taskId: randomUUID() };
  return { id: randomUUID(), sessionId, payload: { kind: "start", options: { ...options, ...over } } as never };
}

/** Tells the database of a checkout of the repository, as an earlier session there did. */
function knowCheckout(path: string, repoKey = REPO): void {
  inTransaction(home.store, (tx) => {
    const at = "2026-01-01T00:00:00.000Z";
    touchRepo(tx, { repoKey, name: "repo", remote: null, matchKey: "same", defaultBranch: "main" }, at);
    touchClone(tx, { repoKey, path, commonDir: `${path}/.git`, rootCommit: null, objectFormat: "sha1" }, at);
  });
}

describe("commands of other devices", () => {
  it("S29 approves as at home, and the outcome is what the sync answers", async () => {
    await open();
    const { id } = await home.begin(["Work", "say a", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    const commandId = randomUUID();
    const row = await home.receive({
      id: commandId,
      sessionId: id,
      payload: { kind: "approve", treeId: treeId ?? "" },
    });
    expect(row).toMatchObject({ state: "done", senderDevice: SENDER });
    expect(await home.sessions.get(id)).toMatchObject({ status: "approved" });
    const told = JSON.parse(outcomeTexts(home.store, [commandId]).get(commandId) ?? "null");
    expect(told).toMatchObject({ state: "done", code: null, reason: null, result: { treeId } });
    expect(Object.keys(told)).toEqual(["state", "boot", "code", "reason", "result"]);
  });

  it("T5 is refused by the same table as at home, with the same words", async () => {
    await open();
    const { id } = await home.begin(["Work", "wait never"]);
    await home.until(id, "running");
    const row = await home.receive({ id: randomUUID(), sessionId: id, payload: { kind: "reject" } });
    expect(row).toMatchObject({ state: "refused", code: "illegal_move" });
    const stopped = await home.receive({ id: randomUUID(), sessionId: id, payload: { kind: "stop", now: true } });
    expect(stopped.state).toBe("done");
    const { events } = await home.sessions.events({ sessionId: id, afterSeq: 0, limit: 100 });
    expect(events.at(-1)).toMatchObject({ type: "task.stopped", payload: { reason: "person" } });
  });

  it("V27 what the account does not allow is refused and stored as refused, and nothing happens", async () => {
    await open();
    const { id } = await home.begin(["Work", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    verdict = { ok: false, wait: false, code: "revoked", reason: "That device was removed." };
    const command = { id: randomUUID(), sessionId: id, payload: { kind: "approve", treeId: treeId ?? "" } } as const;
    expect(await home.receive(command)).toMatchObject({
      state: "refused",
      code: "revoked",
      reason: "That device was removed.",
    });
    verdict = { ok: true };
    // Once answered, always answered so.
    expect(await home.receive(command)).toMatchObject({ state: "refused", code: "revoked" });
    expect(await home.sessions.get(id)).toMatchObject({ status: "awaiting_approval" });
  });

  it("S31 the same command twice is carried out once", async () => {
    await open();
    const { id } = await home.begin(["Work", "finish"]);
    const { treeId } = await home.until(id, "awaiting_approval");
    const command = { id: randomUUID(), sessionId: id, payload: { kind: "approve", treeId: treeId ?? "" } } as const;
    const answers = await Promise.all([home.receive(command), home.receive(command), home.receive(command)]);
    expect(answers.map((row) => row.state)).toEqual(["done", "done", "done"]);
  });

  it("a start runs in the checkout that is here, with what this device's settings say of trust and money", async () => {
    await open();
    knowCheckout(home.dir);
    const command = start({ trustRepoSettings: true, notes: "do evil", budgetUsd: 2 });
    expect(await home.receive(command)).toMatchObject({ state: "done" });
    const session = await home.until(command.sessionId, "awaiting_approval");
    expect(session).toMatchObject({ agent: "sample", cost: { budgetUsd: 2 }, repo: { key: REPO, path: home.dir } });
    const stored = home.store.prepare("select payload from commands where id = ?").pluck().get(command.id) as string;
    const { options } = JSON.parse(stored);
    expect(options).toMatchObject({ trustRepoSettings: false, preferences: { testCommands: ["npm test"] } });
    expect(options).not.toHaveProperty("notes");
  });

  it("a start for a repository that is not here is refused with what to do; a moved one is found by its project", async () => {
    await open();
    const refused = await home.receive(start());
    expect(refused).toMatchObject({ state: "refused", code: "repo_missing" });
    expect(refused.reason).toMatch(/no checkout.*Nothing was started/);
    knowCheckout("/nowhere/at/all");
    expect(existsSync("/nowhere/at/all")).toBe(false);
    expect(await home.receive(start())).toMatchObject({ state: "refused", code: "repo_missing" });
    knowCheckout(home.dir, "fedcbafedcba");
    expect(await home.receive(start())).toMatchObject({ state: "done" });
  });

  it("a start under the id of a session that exists is refused", async () => {
    await open();
    const { id } = await home.begin(["Work", "finish"]);
    const command = start({ sessionId: id });
    expect(await home.receive({ ...command, sessionId: id })).toMatchObject({
      state: "refused",
      code: "already_running",
    });
  });

  it.each([
    ["no JSON", "{"],
    ["another version's kind", { kind: "teleport" }],
    ["a tree that is none", { kind: "approve", treeId: "--help" }],
    ["nothing", {}],
  ])("answers what it cannot read (%s) once and for all", async (_name, payload) => {
    await open();
    const { id } = await home.begin(["Work", "finish"]);
    await home.until(id, "awaiting_approval");
    const row = await home.receive({ id: randomUUID(), sessionId: id, payload: payload as never });
    expect(row).toMatchObject({ state: "refused", code: "not_allowed" });
    expect(row.reason).toContain("Nothing was changed");
    expect(await home.sessions.get(id)).toMatchObject({ status: "awaiting_approval" });
  });

  it("tells what became of a command that came here", async () => {
    await open();
    const { id } = await home.begin(["Work", "finish"]);
    const about = home.about(id);
    await home.until(id, "awaiting_approval");
    await home.sessions.reject(about, PERSON);
    expect(await home.sessions.commandState(about.commandId)).toMatchObject({
      kind: "reject",
      state: "done",
      sessionId: id,
    });
    expect(await home.sessions.withdraw(about.commandId, PERSON)).toMatchObject({ state: "done" });
    expect(await home.sessions.commandState(randomUUID())).toBeNull();
  });
});
