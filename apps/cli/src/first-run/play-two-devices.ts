import { setTimeout as sleep } from "node:timers/promises";
import { checkLanded, type Landed } from "./check-branch.ts";
import type { DrivenHome } from "./drive-home.ts";
import { pairHomes } from "./pair-homes.ts";
import { SAMPLE_PROMPT } from "./sample-task.ts";

/** What a demonstration with two devices has shown. */
export interface TwoDevices {
  /** Events of the session, as the second device followed them live. */
  events: number;
  /** They are, byte for byte, what the first device holds. */
  equal: boolean;
  /** The second device: the first one made the commit at its word. */
  approvedFrom: "B";
  /** What became of the command that the second device sent. */
  command: string;
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

  tell("A session on the first device, followed live on the second one.");
  const started = await first.json(["run", SAMPLE_PROMPT, "-C", repo, "--agent", "sample", "--detach"]);
  const { id } = started as { id: string };
  await known(second, id);
  const followed = await linesOf(second, ["logs", id, "-f"]);
  await known(second, id, "--waiting");
  const { patch } = (await second.json(["diff", id])) as { patch: string };
  if (!patch.startsWith("diff --git ")) throw new Error("The second device shows no change.");
  tell(patch.trimEnd());
  const equal = followed === (await linesOf(first, ["logs", id, "-n", "1000"]));
  if (!equal) throw new Error("The second device read other events than the first one holds.");

  tell("Approved on the second device; the first one makes the commit.");
  const approved = await second.json(["approve", id, "--wait", "--timeout", "60"]);
  const { branch, commit, treeId } = approved as unknown as Landed;
  await checkLanded(repo, { branch, commit, treeId });
  tell(`${commit.slice(0, 7)} on ${branch}, checked with git on the first device.`);
  const { commands } = (await second.json(["show", id])) as { commands: { kind: string; state: string }[] };
  const command = commands.find(({ kind }) => kind === "approve")?.state ?? "unknown";
  if (command !== "done") throw new Error(`The approval is told as ${command}.`);
  return { events: followed.split("\n").length, equal, approvedFrom: "B", command };
}

/** The lines that a command prints, as they are. */
async function linesOf(home: DrivenHome, words: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await home.json(words, { onLine: (line) => lines.push(JSON.stringify(line)) });
  return lines.join("\n");
}

/** Until the other device's session is listed here, or is in a list that is asked for. */
async function known(home: DrivenHome, id: string, ...flags: string[]): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const { sessions } = (await home.json(["ls", "--all-repos", ...flags])) as { sessions: { id: string }[] };
    if (sessions.some((session) => session.id === id)) return;
    if (Date.now() > giveUpAt) throw new Error(`Session ${id} did not come to the second device.`);
    await sleep(200);
  }
}
