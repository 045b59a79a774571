import { setTimeout as sleep } from "node:timers/promises";
import { checkLanded, type Landed } from "./check-branch.ts";
import type { DrivenHome } from "./drive-home.ts";
import { pairHomes } from "./pair-homes.ts";
import { SAMPLE_PROMPT } from "./sample-task.ts";

/** What a demonstration with two devices has shown. */
export interface TwoDevices {
  /** Made by the first device at the second one's word. */
  approved: Landed;
  /** Events of the session, as the second device read them. */
  events: number;
}

export interface TwoDevicesPlace {
  cloudUrl: string;
  first: DrivenHome;
  second: DrivenHome;
  /** The sample repository, on the first device. */
  repo: string;
  tell: (what: string) => void;
}

const PATIENCE_MS = 60_000;

/** Plays a session on one device that another one reads, reviews and approves, through a cloud that reads none of it. */
export async function playTwoDevices(o: TwoDevicesPlace): Promise<TwoDevices> {
  const { cloudUrl, first, second, repo, tell } = o;
  tell("An account on a cloud of this machine, and a second device that is let in by six digits.");
  const who = ["--server", cloudUrl, "--email", "ada@example.org", "--password-stdin"];
  await first.json(["signup", ...who], { input: "only for this demonstration\n" });
  await pairHomes(first, second, cloudUrl);

  tell("A session on the first device, read on the second one.");
  const { id } = (await first.json(["run", SAMPLE_PROMPT, "-C", repo, "--agent", "sample"])) as { id: string };
  await waiting(second, id);
  const { patch } = (await second.json(["diff", id])) as { patch: string };
  if (!patch.startsWith("diff --git ")) throw new Error("The second device shows no change.");
  tell(patch.trimEnd());
  let events = 0;
  await second.json(["logs", id, "-n", "1000"], { onLine: () => (events += 1) });

  tell("Approved on the second device; the first one makes the commit.");
  const { branch, commit, treeId } = (await second.json([
    "approve",
    id,
    "--wait",
    "--timeout",
    "60",
  ])) as unknown as Landed;
  await checkLanded(repo, { branch, commit, treeId });
  tell(`${commit.slice(0, 7)} on ${branch}, checked with git on the first device.`);
  return { approved: { branch, commit, treeId }, events };
}

/** Until the other device's session waits here for a person. */
async function waiting(home: DrivenHome, id: string): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const { sessions } = (await home.json(["ls", "--all-repos", "--waiting"])) as { sessions: { id: string }[] };
    if (sessions.some((session) => session.id === id)) return;
    if (Date.now() > giveUpAt) throw new Error(`Session ${id} did not come to the second device.`);
    await sleep(200);
  }
}
