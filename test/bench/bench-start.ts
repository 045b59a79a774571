import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createRunner } from "@codehands/runner";
import { git } from "../kit/git.ts";
import { alternate, type BenchRow, makeRepository, median, ms, ratio, time } from "./measure.ts";

const FILES = 10_000;

/** From `runner.start` to the spawned agent on a large repository, against `git worktree add` alone. */
export async function benchStart(rounds: number): Promise<BenchRow[]> {
  const { root, repo, remove } = makeRepository(FILES);
  const bare = (round: number) =>
    time(() => git(repo, "worktree", "add", "-q", "-b", `bare-${round}`, join(root, `bare-${round}`)));
  const ours = async () => {
    const start = performance.now();
    let spawned = Number.NaN;
    const runner = createRunner({
      home: join(root, "home"),
      agentCommand: ["true"],
      crashPoint: (name) => {
        if (name === "run.after-spawn") spawned = performance.now();
      },
    });
    for await (const event of runner.start({
      sessionId: randomUUID(),
      repoPath: repo,
      prompt: "bench",
      agent: "claude-code",
    }))
      void event;
    return spawned - start;
  };
  await bare(-1);
  const times = await alternate(rounds, bare, ours);
  remove();
  const [plain, own] = [median(times.a), median(times.b)];
  return [
    {
      name: `start → agent spawned, ${FILES} files`,
      value: `${ratio(own / plain)} (+${ms(own - plain)})`,
      goal: "≤ 1.15 x worktree add + 40 ms",
      detail: `${ms(own)}, worktree add ${ms(plain)}`,
    },
  ];
}
