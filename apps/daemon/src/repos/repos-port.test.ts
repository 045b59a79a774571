import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { insertSession, moveSession, readSession } from "../sessions/session-rows.ts";
import { openSettingsRoom } from "../settings/settings-room.test-kit.ts";
import { insertTask } from "../tasks/task-rows.ts";
import { touchClone } from "./clone-rows.ts";
import { touchRepo } from "./repo-rows.ts";

let room: ReturnType<typeof openSettingsRoom>;
beforeEach(() => {
  room = openSettingsRoom();
});
afterEach(() => room.close());

const AT = "2026-11-30T18:00:00.000Z";

/** Notes the repository as a start does, with one waiting session. */
async function used(path: string) {
  const start = await room.resolveStart({
    commandId: "c",
    sessionId: "s",
    repoPath: path,
    prompt: "p",
    agent: "sample",
  });
  if (!start.ok) throw new Error(start.reason);
  const { repo, clone } = start;
  inTransaction(room.store, (tx) => {
    touchRepo(tx, repo, AT);
    touchClone(tx, clone, AT);
    insertTask(tx, {
      id: "t",
      repoKey: repo.repoKey,
      title: "t",
      prompt: "p",
      createdBy: "d",
      createdAt: AT,
      activeSessionId: "s",
    });
    const plain = {
      taskId: "t",
      repoKey: repo.repoKey,
      deviceId: "d",
      title: "t",
      prompt: "p",
      agent: "sample",
      createdAt: AT,
    };
    insertSession(tx, { id: "s", ...plain, repoPath: clone.path, commonDir: clone.commonDir });
    moveSession(tx, "s", { to: "failed" });
  });
  return repo.repoKey;
}

describe("repositories", () => {
  it("lists what was used, with its sessions and whether it is trusted as it is now", async () => {
    const repo = room.repo("app", { ".codehands.json": "{}" });
    repo.git("remote", "add", "origin", "https://me:secret@example.org/acme/app.git");
    expect(await room.repos.list()).toEqual([]);
    const key = await used(repo.path);
    const row = {
      key,
      name: "app",
      remote: "https://example.org/acme/app.git",
      path: repo.path,
      defaultBranch: "main",
      sessions: 1,
    };
    expect(await room.repos.list()).toMatchObject([{ ...row, trusted: false }]);
    await room.repos.trust(repo.path, (await room.repos.trustState(repo.path)).hash ?? "");
    expect(await room.repos.list()).toMatchObject([{ ...row, trusted: true }]);
    repo.commit({ ".codehands.json": '{"testCommands":["x"]}' });
    expect(await room.repos.list()).toMatchObject([{ ...row, trusted: false }]);
  });

  it("trusts only the content that the person saw, and forgets on request", async () => {
    const repo = room.repo("app", { ".codehands.json": "{}" });
    const seen = (await room.repos.trustState(join(repo.path, "."))).hash ?? "";
    repo.commit({ ".codehands.json": '{"testCommands":["x"]}' });
    expect(await room.repos.trust(repo.path, seen)).toMatchObject({ ok: false, state: { trusted: false } });
    const now = (await room.repos.trustState(repo.path)).hash ?? "";
    expect(await room.repos.trust(repo.path, now)).toMatchObject({ ok: true, state: { trusted: true } });
    expect(await room.repos.untrust(repo.path)).toMatchObject({ trusted: false, hash: now });
  });

  it("where there is nothing to trust, nothing is trusted", async () => {
    const repo = room.repo("app");
    expect(await room.repos.trustState(repo.path)).toMatchObject({
      hash: null,
      file: null,
      settings: null,
      trusted: false,
    });
    expect(await room.repos.trust(repo.path, "anything")).toMatchObject({ ok: false });
    await expect(room.repos.trustState(room.paths.home)).rejects.toMatchObject({ code: "not_found" });
  });

  it("a file that is no JSON, a link or too large sets nothing, and its text is shown", async () => {
    const repo = room.repo("app", { ".codehands.json": "testCommands: [x]" });
    expect(await room.repos.trustState(repo.path)).toMatchObject({
      settings: { ".codehands.json": "testCommands: [x]" },
    });
    repo.commit({ ".codehands.json": `{"model":"${"x".repeat(70_000)}"}` });
    expect(await room.repos.trustState(repo.path)).toMatchObject({ file: null });
    const link = room.repo("other");
    const target = link.git("hash-object", "-w", "/etc/hostname");
    link.git("update-index", "--add", "--cacheinfo", `120000,${target},.codehands.json`);
    link.git("commit", "-q", "-m", "link");
    expect(await room.repos.trustState(link.path)).toMatchObject({ file: null });
  });
});

describe("F24 a checkout that moved", () => {
  it("keeps its history, and its sessions find it at the new place", async () => {
    const repo = room.repo("app");
    const key = await used(repo.path);
    const to = join(room.folder, "moved");
    renameSync(repo.path, to);
    expect(await room.repos.relocate(repo.path, to)).toMatchObject({ ok: true, repo: { key, path: to, sessions: 1 } });
    expect(readSession(room.store, "s")).toMatchObject({ repoPath: to, commonDir: join(to, ".git") });
    expect(await room.repos.relocate(repo.path, to)).toMatchObject({ ok: false });
  });

  it("is not mistaken for another repository", async () => {
    const repo = room.repo("app", { a: "1" });
    await used(repo.path);
    const other = room.repo("other", { b: "2" });
    expect(await room.repos.relocate(repo.path, other.path)).toEqual({
      ok: false,
      reason: expect.stringContaining("another repository"),
    });
    expect(await room.repos.relocate(repo.path, join(room.folder, "gone"))).toMatchObject({ ok: false });
    expect(await room.repos.relocate("/never/used", repo.path)).toEqual({
      ok: false,
      reason: expect.stringContaining("/never/used"),
    });
    expect(readSession(room.store, "s")).toMatchObject({ repoPath: repo.path });
  });
});
