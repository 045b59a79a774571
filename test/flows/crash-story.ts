import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { expect } from "vitest";
import { fingerprintCheckout } from "../kit/fingerprint-checkout.ts";
import { git } from "../kit/git.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { openTempHome, type TempHome } from "../kit/temp-home.ts";

/** Where to kill the daemon: at the n-th visit of a named point. Null for a life without a crash. */
export type Crash = { name: string; nth: number } | null;

interface Shown {
  id: string;
  status: string;
  branch: string | null;
  commit: string | null;
  treeId: string | null;
  lastSeq: number;
}

/**
 * Leads one life through the real command, daemon, runner and git: a session approved, another
 * rejected. The daemon is killed once on the way; the next command starts it again. Whatever happened, it must end as
 * without the crash. Returns the names of the points that were visited.
 */
export async function playCrashStory(crash: Crash): Promise<string[]> {
  const machine = machineFor(crash);
  const log = join(machine.root, "points");
  try {
    const repo = join(machine.root, "repo");
    await makeSampleRepo(repo);
    const base = git(repo, "rev-parse", "HEAD");
    const before = fingerprintCheckout(repo);

    const approved = await startAndWait(machine, repo, "to be approved");
    const answer = await command(machine, ["approve", approved.id, "-m", "Approved once", "--json"]);
    const landed = JSON.parse(answer) as { branch: string; commit: string; treeId: string };
    expect(git(repo, "rev-list", landed.branch, `^${base}`).split("\n")).toEqual([landed.commit]);
    expect(git(repo, "rev-parse", `${landed.commit}^{tree}`)).toBe(landed.treeId);
    expect(landed.treeId).toBe(approved.treeId);

    const rejected = await startAndWait(machine, repo, "to be rejected");
    await command(machine, ["reject", rejected.id, "--json"]);
    expect(git(repo, "branch", "--list", `*${rejected.id.slice(0, 8)}`)).toBe("");

    const list = JSON.parse(await command(machine, ["ls", "--all-repos", "--json"])) as { sessions: Shown[] };
    expect(Object.fromEntries(list.sessions.map((each) => [each.id, each.status]))).toEqual({
      [approved.id]: "approved",
      [rejected.id]: "rejected",
    });
    for (const { id } of list.sessions) await expectDense(machine, id);
    expect(fingerprintCheckout(repo)).toEqual(before);
    expect(git(repo, "worktree", "list").split("\n")).toHaveLength(1);
    if (crash !== null) expect(readFileSync(log, "utf8")).toContain("(killed here)");
    return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  } finally {
    await machine.remove();
  }
}

function machineFor(crash: Crash): TempHome {
  const machine = openTempHome();
  const script = [
    { init: {} },
    { text: "I make a file." },
    { write: { path: "made.txt", text: "made\n" } },
    { text: "Made." },
    { result: {} },
  ];
  Object.assign(machine.env, asClaude(scriptedAgent(join(machine.root, "script.json"), script)), {
    CODEHANDS_TEST: "1",
    CODEHANDS_CRASH_LOG: join(machine.root, "points"),
    ...(crash === null ? {} : { CODEHANDS_CRASH: `${crash.name}:${crash.nth}` }),
  });
  return machine;
}

async function startAndWait(machine: TempHome, repo: string, prompt: string): Promise<Shown> {
  const started = await command(machine, ["run", prompt, "-C", repo, "--agent", "claude-code", "--detach", "--json"]);
  const { id } = JSON.parse(started) as Shown;
  await command(machine, ["wait", id, "--timeout", "60", "--json"]);
  const shown = JSON.parse(await command(machine, ["show", id, "--json"])) as Shown;
  expect(shown.status).toBe("awaiting_approval");
  return shown;
}

/** Runs a command as a person would: when the daemon died under it, once more. */
async function command(machine: TempHome, words: string[]): Promise<string> {
  const first = await machine.cli(words);
  if (first.exitCode === 0) return first.stdout;
  const second = await machine.cli(words);
  expect(`${words.join(" ")}: ${second.exitCode} ${second.stderr}`).toBe(`${words.join(" ")}: 0 `);
  return second.stdout;
}

async function expectDense(machine: TempHome, id: string): Promise<void> {
  const lines = (await command(machine, ["logs", id, "--json", "-n", "1000"])).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { seq: number; type: string });
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(({ type }) => type === "task.started")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "task.finished")).toHaveLength(1);
}
