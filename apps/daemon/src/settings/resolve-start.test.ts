import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StartInput } from "@codehands/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { putPreference } from "./preference-rows.ts";
import { openSettingsRoom } from "./settings-room.test-kit.ts";

let room: ReturnType<typeof openSettingsRoom>;
beforeEach(() => {
  room = openSettingsRoom();
  room.writeProgram("claude", "echo '2.1.332 (Claude Code)'");
});
afterEach(() => room.close());

const start = (repoPath: string, more: Partial<StartInput> = {}) =>
  room.resolveStart({ commandId: "c", sessionId: "s", repoPath, prompt: "p", ...more });
const prefer = (scope: string, key: string, body: unknown) =>
  inTransaction(room.store, (tx) => putPreference(tx, { scope, key, body }));

describe("what a start takes from where", () => {
  it("without any settings: Claude Code, half a dollar, the detected tests, HEAD", async () => {
    const repo = room.repo("app", { "package.json": '{"scripts":{"test":"node --test"}}', "pnpm-lock.yaml": "" });
    expect(await start(repo.path)).toMatchObject({
      ok: true,
      agent: "claude-code",
      model: null,
      phases: null,
      budgetUsd: 0.5,
      testCommands: ["pnpm test"],
      base: null,
      notes: null,
      trustRepoSettings: false,
      repo: { name: "app", remote: null, defaultBranch: "main" },
      clone: { path: repo.path, commonDir: join(repo.path, ".git"), objectFormat: "sha1" },
    });
  });

  it("flag > file > the account's preference of the repo > of all > the repository's hint", async () => {
    const repo = room.repo("app", { ".codehands.json": '{"model":"from-repository","language":"de"}' });
    const model = async (more: Partial<StartInput> = {}) => (await start(repo.path, more)) as { model: string };
    expect(await model()).toMatchObject({ model: "from-repository" });
    prefer("account", "model", "from-account");
    expect(await model()).toMatchObject({ model: "from-account" });
    const [{ key } = { key: "" }] = await room.repos
      .trust(repo.path, (await room.repos.trustState(repo.path)).hash ?? "")
      .then(() => room.repos.list());
    prefer(key, "model", "from-account-for-repo");
    expect(await model()).toMatchObject({ model: "from-account-for-repo" });
    room.writeConfig({ model: "from-file" });
    expect(await model()).toMatchObject({ model: "from-file" });
    room.writeConfig({ model: "from-file", agents: { "claude-code": { model: "of-the-agent" } } });
    expect(await model()).toMatchObject({ model: "of-the-agent" });
    expect(await model({ model: "from-flag" })).toMatchObject({ model: "from-flag", phases: null });
  });

  it("a model that was named for another agent does not count", async () => {
    const repo = room.repo("app");
    room.writeConfig({ model: "sonnet" });
    expect(await start(repo.path)).toMatchObject({ agent: "claude-code", model: "sonnet" });
    expect(await start(repo.path, { agent: "sample" })).toMatchObject({ agent: "sample", model: null });
  });

  it("a repository may not set money, programs or paths", async () => {
    const repo = room.repo("app", {
      ".codehands.json": JSON.stringify({
        budgetUsd: 900,
        agents: { "claude-code": { command: ["/bin/evil"] } },
        worktreeRoot: "/",
        port: 1,
      }),
    });
    expect(await start(repo.path)).toMatchObject({ agent: "claude-code", budgetUsd: 0.5 });
    expect(await room.settings.list(repo.path)).not.toContainEqual(expect.objectContaining({ origin: "repository" }));
  });

  it("C120 a repository's test commands and the agent's project settings count only once trusted, and only as they were", async () => {
    const repo = room.repo("app", {
      ".codehands.json": '{"testCommands":["make check"]}',
      ".claude/settings.json": '{"hooks":{"SessionStart":[]}}',
      "package.json": '{"scripts":{"test":"x"}}',
    });
    expect(await start(repo.path)).toMatchObject({ testCommands: ["npm test"], trustRepoSettings: false });
    const state = await room.repos.trustState(repo.path);
    expect(state).toMatchObject({
      trusted: false,
      file: ".codehands.json, .claude/settings.json",
      settings: {
        ".codehands.json": { testCommands: ["make check"] },
        ".claude/settings.json": { hooks: { SessionStart: [] } },
      },
    });
    expect((await room.repos.trust(repo.path, state.hash ?? "")).ok).toBe(true);
    expect(await start(repo.path)).toMatchObject({ testCommands: ["make check"], trustRepoSettings: true });
    // Not committed: what lies in the folder does not count.
    writeFileSync(join(repo.path, ".codehands.json"), '{"testCommands":["rm -rf /"]}');
    expect(await start(repo.path)).toMatchObject({ testCommands: ["make check"], trustRepoSettings: true });
    repo.commit({
      ".claude/settings.json": '{"hooks":{"SessionStart":["evil"]}}',
      ".codehands.json": '{"testCommands":["make check"]}',
    });
    expect(await start(repo.path)).toMatchObject({ testCommands: ["npm test"], trustRepoSettings: false });
  });

  it("the base commit decides which file is read, and the file may name the base", async () => {
    const repo = room.repo("app", { ".codehands.json": '{"model":"old","base":"release"}' });
    repo.git("branch", "release");
    repo.commit({ ".codehands.json": '{"model":"new","base":"release"}' });
    expect(await start(repo.path)).toMatchObject({ base: "release", model: "old" });
    expect(await start(repo.path, { base: "main" })).toMatchObject({ base: "main", model: "new" });
  });

  it("gives the agent the newest 16 KB of the repository's notes", async () => {
    const repo = room.repo("app");
    const first = await start(repo.path);
    const folder = join(room.paths.memory, first.ok ? first.repo.repoKey : "");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "notes.md"), `${"old line\n".repeat(3_000)}newest\n`);
    const second = await start(repo.path);
    const notes = second.ok ? (second.notes ?? "") : "";
    expect(notes.length).toBeLessThanOrEqual(16 * 1024);
    expect(notes).toMatch(/^old line\n(.*\n)*newest$/);
  });
});

describe("starts that are refused", () => {
  it.each([
    ["gone", /There is no folder/],
    ["home", /is not in a git repository/],
  ])("no repository at %s", async (folder, reason) => {
    const refused = { ok: false, code: "repo_missing", reason: expect.stringMatching(reason) };
    expect(await start(join(room.folder, folder))).toMatchObject(refused);
  });

  it("a base that is not there, or that git would take for an option (C108)", async () => {
    const repo = room.repo("app");
    for (const base of ["no-such-branch", "--upload-pack=x", "-x"]) {
      expect(await start(repo.path, { base })).toMatchObject({
        ok: false,
        code: "not_found",
        reason: expect.stringContaining(base),
      });
    }
  });

  it("no agent on this machine: nobody's money is spent on a guess", async () => {
    room.close();
    room = openSettingsRoom({ path: "/nowhere" });
    const repo = room.repo("app");
    expect(await start(repo.path)).toMatchObject({
      ok: false,
      code: "not_found",
      next: "doctor",
      reason: expect.stringContaining("Install Claude Code"),
    });
    await expect(room.agents.preferred(null)).rejects.toMatchObject({ code: "not_found" });
    expect(await start(repo.path, { agent: "sample" })).toMatchObject({ ok: true, agent: "sample" });
    expect(await start(repo.path, { agent: "air" })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("air"),
    });
  });

  it("a broken config.json may have held a limit, so nothing starts", async () => {
    const repo = room.repo("app");
    room.writeConfig('{"budgetUsd": "a lot"}');
    expect(await start(repo.path)).toMatchObject({
      ok: false,
      code: "not_allowed",
      reason: expect.stringContaining("budgetUsd"),
    });
  });
});
