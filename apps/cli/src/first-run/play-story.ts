import type { CliWorld } from "../run-cli.ts";
import { callCommand } from "./call-command.ts";
import { checkGone, checkLanded, type Landed } from "./check-branch.ts";
import { environmentWith } from "./config.ts";
import { SAMPLE_PROMPT } from "./sample-task.ts";

/** What a demonstration has shown. */
export interface Story {
  approved: Landed;
  /** Events of the approved session. */
  events: number;
  rejected: boolean;
}

export interface StoryPlace {
  world: CliWorld;
  home: string;
  /** The sample repository. */
  repo: string;
  /** Told before each step. */
  tell: (what: string) => void;
}

/** Plays the whole story through the command as a person would: run, follow, review, approve; run again, reject. */
export async function playStory({ world, home, repo, tell }: StoryPlace): Promise<Story> {
  const variables = environmentWith({ CODEHANDS_HOME: home });
  const call = (...words: string[]): Promise<string> => callCommand(world, words, variables);
  const start = async (): Promise<{ id: string; branch: string }> => {
    const id = (await call("run", SAMPLE_PROMPT, "-C", repo, "--agent", "sample", "--no-json")).trim();
    const { branch, status } = JSON.parse(await call("show", id, "--json")) as { branch: string; status: string };
    if (status !== "awaiting_approval") throw new Error(`The session is ${status} and not awaiting approval.`);
    return { id, branch };
  };

  tell("A session: the agent works in a worktree of its own.");
  const first = await start();
  const events = (await call("logs", first.id, "--json", "-n", "1000")).trim().split("\n").length;

  tell(`Review: ${events} events, and this change.`);
  const patch = await call("diff", first.id, "--patch", "--no-json");
  if (!patch.startsWith("diff --git ")) throw new Error("The session made no change.");
  tell(patch.trimEnd());

  tell("Approve: one commit on the session's branch.");
  const { branch, commit, treeId } = JSON.parse(await call("approve", first.id, "--json")) as Landed;
  await checkLanded(repo, { branch, commit, treeId });
  tell(`${commit.slice(0, 7)} on ${branch}; the checkout did not move.`);

  tell("A second session, to be rejected.");
  const second = await start();
  const { status } = JSON.parse(await call("reject", second.id, "--json")) as { status: string };
  await checkGone(repo, second.branch);
  tell(`Rejected: ${second.branch} is gone, its files are in the trash for 14 days.`);
  return { approved: { branch, commit, treeId }, events, rejected: status === "rejected" };
}
