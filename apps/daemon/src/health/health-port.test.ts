import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAskProgram } from "../agents/ask-program.ts";
import { inTransaction } from "../database/transaction.ts";
import { accountPorts } from "../http/account-ports.test-kit.ts";
import { touchClone } from "../repos/clone-rows.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { changeSession, insertSession, moveSession } from "../sessions/session-rows.ts";
import { openConfigStore } from "../settings/config-store.ts";
import { openLiveSettings } from "../settings/live-settings.ts";
import { openSettingsRoom } from "../settings/settings-room.test-kit.ts";
import { insertTask } from "../tasks/task-rows.ts";
import { whatRuleOpens } from "./check-claude-settings.ts";
import { checkGit, checkNode, checkSandbox, checkWatches } from "./check-machine.ts";
import { createHealth } from "./health-port.ts";

let room: ReturnType<typeof openSettingsRoom>;
let orphans: string[];
beforeEach(() => {
  room = openSettingsRoom();
  orphans = [];
});
afterEach(() => room.close());

function health(environment: Record<string, string> = {}) {
  const { paths, store, git, agents } = room;
  const env = { PATH: process.env.PATH ?? "", HOME: room.folder, ...environment };
  const config = openConfigStore(paths.config, {});
  const live = openLiveSettings(
    { store, git, repoKey: async () => "", agentCommands: {}, worktrees: paths.worktrees },
    config,
  );
  return createHealth({
    ...{
      store,
      paths,
      config,
      live,
      agents,
      environment: env,
      ask: createAskProgram(env),
      askModel: createAskProgram(env),
    },
    about: { version: "0.1.0", bootId: "b", homeId: "home-1", startedAt: "2026-11-30T18:00:00.000Z" },
    supervisor: { counts: () => ({ running: 1, queued: 2, waiting: 3 }), orphans: async () => orphans },
    clock: () => "2026-11-30T18:00:00.000Z",
    shutdown: () => {},
    device: { ...accountPorts((_name, value) => Promise.resolve(value)), quarantined: () => 0, orphans: () => 0 },
  });
}

const doctor = async (fix = false, environment: Record<string, string> = {}) =>
  health(environment).doctor({ fix, probe: false });
const check = async (id: string, fix = false) => (await doctor(fix)).checks.find((one) => one.id === id);

describe("the doctor", () => {
  it("finds a fresh home well, and every finding that is not names what to do", async () => {
    const report = await doctor();
    expect(report.ok).toBe(true);
    expect(report.checks.map((one) => one.id)).toEqual(
      expect.arrayContaining([
        "node",
        "git",
        "database",
        "daemon",
        "config",
        "private",
        "disk",
        "agent.claude-code",
        "sandbox",
        "worktrees",
        "registrations",
      ]),
    );
    for (const one of report.checks) expect(one.fix === null).toBe(one.status === "ok");
    expect(await check("database")).toMatchObject({ detail: expect.stringMatching(/schema \d+, .+, integrity ok/) });
  });

  it("warns of a home that others can read, and closes it only when asked", async () => {
    chmodSync(room.paths.home, 0o755);
    writeFileSync(room.paths.config, "{}", { mode: 0o644 });
    chmodSync(room.paths.config, 0o644);
    expect(await check("private")).toMatchObject({
      status: "warn",
      detail: expect.stringContaining("config.json"),
      fix: "codehands doctor --fix",
    });
    expect(statSync(room.paths.home).mode & 0o777).toBe(0o755);
    expect(await check("private", true)).toMatchObject({ status: "ok" });
    expect(statSync(room.paths.home).mode & 0o777).toBe(0o700);
    expect(statSync(room.paths.config).mode & 0o777).toBe(0o600);
  });

  it("C032 lets the agent talk to its provider only when asked to", async () => {
    const said = '{"is_error":true,"result":"Not logged in","api_error_status":401}';
    room.writeProgram(
      "claude",
      `case "$*" in --version) echo "2.1.332 (Claude Code)";; -p*) echo '${said}'; exit 1;; esac`,
    );
    expect((await doctor()).checks.map((one) => one.id)).not.toContain("probe");
    const probed = await health().doctor({ fix: false, probe: true });
    expect(probed.checks.find((one) => one.id === "probe")).toMatchObject({ status: "fail", fix: "claude auth login" });
    expect(probed.ok).toBe(false);
  });

  it("fails on a config.json that cannot be read", async () => {
    room.writeConfig('{"budgetUsd": "much", "x": 1}');
    expect(await check("config")).toMatchObject({
      status: "fail",
      detail: expect.stringMatching(/budgetUsd.*x is not a known key/),
    });
    expect((await doctor()).ok).toBe(false);
  });

  it("tells what the person's own rules open, one warning each", async () => {
    mkdirSync(join(room.folder, ".claude"));
    const permissions = {
      allow: ["Write", "Bash(*)", "Bash(npm test)", "Edit(./src/**)"],
      defaultMode: "bypassPermissions",
    };
    writeFileSync(join(room.folder, ".claude/settings.json"), JSON.stringify({ permissions }));
    const warned = (await doctor()).checks.filter((one) => one.id.startsWith("claude-")).map((one) => one.id);
    expect(warned).toEqual(["claude-rule.Write", "claude-rule.Bash(*)", "claude-mode"]);
    expect((await doctor(false, { CLAUDE_CONFIG_DIR: "/nowhere" })).checks.map((one) => one.id)).toContain(
      "claude-settings",
    );
  });

  it("finds old worktrees with their size, and folders that no session knows", async () => {
    const worktree = join(room.paths.worktrees, "k/aaaaaaaa");
    const orphan = join(room.paths.worktrees, "k/bbbbbbbb");
    for (const folder of [worktree, orphan]) {
      mkdirSync(join(folder, "deep"), { recursive: true });
      writeFileSync(join(folder, "deep/file"), "x".repeat(3_000));
    }
    orphans = [orphan];
    session("s", { worktree, finishedAt: "2026-11-01T00:00:00.000Z" });
    expect(await check("worktrees")).toMatchObject({
      status: "warn",
      detail: "1 older than 14 days, 2.9 KB",
      fix: "codehands clean --stale 14d",
    });
    expect(await check("orphans")).toMatchObject({ detail: `1 that no session knows, 2.9 KB: ${orphan}` });
  });

  it("takes stale entries of ours off a repository's list, and nothing else", async () => {
    const repo = room.repo("app");
    const gone = join(room.paths.worktrees, "k/aaaaaaaa");
    const others = join(room.folder, "others");
    mkdirSync(room.paths.worktrees, { recursive: true });
    for (const path of [gone, others]) repo.git("worktree", "add", "-q", "--detach", path);
    repo.git("worktree", "lock", "--reason", "codehands:s home:home-1", gone);
    repo.git("worktree", "lock", "--reason", "codehands:s home:home-2", others);
    session("s", { worktree: gone, commonDir: join(repo.path, ".git") });
    expect(await check("registrations")).toMatchObject({ status: "ok" });
    for (const path of [gone, others]) rmSync(path, { recursive: true });
    expect(await check("registrations")).toMatchObject({ status: "warn", fix: "codehands doctor --fix" });
    expect(await check("registrations", true)).toMatchObject({
      status: "ok",
      detail: expect.stringContaining("removed 1"),
    });
    const list = repo.git("worktree", "list", "--porcelain");
    expect(list).not.toContain(gone);
    expect(list).toContain(others);
  });
});

it("health counts what runs, queues and waits", async () => {
  expect(await health().health()).toMatchObject({
    ok: true,
    pid: process.pid,
    running: 1,
    queued: 2,
    waiting: 3,
    homeId: "home-1",
  });
});

it.each([
  ["Write", true],
  ["Edit(**)", true],
  ["Read", true],
  ["Read(//**)", true],
  ["Bash", true],
  ["Bash(*)", true],
  ["Bash(sudo rm:*)", true],
  ["Bash(npm test)", false],
  ["Bash(git status:*)", false],
  ["Edit(./**)", false],
  ["WebFetch", false],
])("the rule %s opens the fence: %s", (rule, opens) => {
  expect(whatRuleOpens(rule) !== null).toBe(opens);
});

it("the machine's programs are held against what we need", async () => {
  expect(checkNode("v20.18.9")).toMatchObject({ status: "fail" });
  expect(checkNode("v24.0.0")).toMatchObject({ status: "ok" });
  const git = (stdout: string) => checkGit(async () => ({ exitCode: 0, stdout }));
  expect(await git("git version 2.29.9\n")).toMatchObject({ status: "fail" });
  expect(await git("git version 2.30.0 (Apple Git-1)\n")).toMatchObject({ status: "ok" });
  expect(await git("")).toMatchObject({ status: "fail", detail: "not found on PATH" });
  expect(checkSandbox("auto")).toMatchObject({ status: "warn" });
  expect(await checkWatches("darwin")).toBeNull();
  const limits = join(room.folder, "inotify");
  mkdirSync(limits);
  writeFileSync(join(limits, "max_user_instances"), "16\n");
  writeFileSync(join(limits, "max_user_watches"), "192536\n");
  expect(await checkWatches("linux", limits)).toMatchObject({
    status: "warn",
    detail: expect.stringContaining("16 instances"),
  });
});

function session(id: string, facts: { worktree: string; commonDir?: string; finishedAt?: string }) {
  const at = "2026-11-01T00:00:00.000Z";
  const commonDir = facts.commonDir ?? "/r/.git";
  inTransaction(room.store, (tx) => {
    touchRepo(tx, { repoKey: "k", name: "r", remote: null, matchKey: "k", defaultBranch: null }, at);
    touchClone(tx, { repoKey: "k", path: "/r", commonDir, rootCommit: null, objectFormat: "sha1" }, at);
    insertTask(tx, { id, repoKey: "k", title: "t", prompt: "p", createdBy: "d", createdAt: at, activeSessionId: id });
    const plain = { taskId: id, repoKey: "k", repoPath: "/r", deviceId: "d", title: "t", prompt: "p", agent: "sample" };
    insertSession(tx, { id, ...plain, createdAt: at });
    changeSession(tx, id, { worktree: facts.worktree });
    moveSession(tx, id, { to: "failed", change: { finishedAt: facts.finishedAt ?? at } });
  });
}
