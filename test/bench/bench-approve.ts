import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRunner } from "@codehands/runner";
import { git } from "../kit/git.ts";
import { scriptedAgent } from "../kit/scripted-agent.ts";
import { alternate, type BenchRow, makeRepository, median, ms, ratio, time } from "./measure.ts";

const FILES = 10_000;
const CHANGED = 100;

/** Approve of 100 changed files, against the same plumbing by hand in a plain worktree. */
export async function benchApprove(rounds: number): Promise<BenchRow[]> {
  const { root, repo, remove } = makeRepository(FILES);
  const change = (folder: string) => {
    for (let index = 0; index < CHANGED; index++) {
      const file = index * (FILES / CHANGED);
      writeFileSync(join(folder, `d${Math.floor(file / 100)}`, `f${file}.txt`), `changed ${Math.random()}\n`);
    }
  };
  const agentCommand = scriptedAgent(join(root, "script.json"), [{ init: {} }, { result: {} }]);
  const byHand = async (round: number) => {
    const folder = join(root, `hand-${round}`);
    git(repo, "worktree", "add", "-q", "-b", `hand-${round}`, folder);
    change(folder);
    return time(() => {
      git(folder, "add", "-A");
      const tree = git(folder, "write-tree");
      const commit = git(folder, "commit-tree", "-p", "HEAD", "-m", "bench", tree);
      git(folder, "update-ref", `refs/heads/hand-${round}`, commit);
    });
  };
  const ours = async () => {
    const runner = createRunner({ home: join(root, "home"), agentCommand });
    const sessionId = randomUUID();
    let cwd = "";
    for await (const event of runner.start({ sessionId, repoPath: repo, prompt: "bench", agent: "claude-code" })) {
      if (event.type === "task.started") cwd = String(event.payload["cwd"]);
    }
    change(cwd);
    return time(() => runner.approve(sessionId, "bench"));
  };
  const times = await alternate(rounds, byHand, ours);
  remove();
  return [
    {
      name: `approve, ${FILES} files, ${CHANGED} changed`,
      value: ratio(median(times.b) / median(times.a)),
      goal: "≤ 1.3 x plumbing by hand",
      detail: `${ms(median(times.b))} with trash and fsync, by hand ${ms(median(times.a))}`,
    },
  ];
}
