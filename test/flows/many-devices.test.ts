import { join } from "node:path";
import { makeSampleRepo } from "@codehands/runner";
import { afterAll, beforeAll, expect, test } from "vitest";
import { git } from "../kit/git.ts";
import { openMachine, pair, parse, type ServedCloud, serveCloud, signUp } from "../kit/many-homes.ts";
import { asClaude, scriptedAgent } from "../kit/scripted-agent.ts";
import { linesOf, log, type SessionJson, show, startSession, statusAt } from "../kit/session-words.ts";
import { type TempHome, until } from "../kit/temp-home.ts";

let host: TempHome;
let laptop: TempHome;
let desk: TempHome;
let cloud: ServedCloud;
let repo: string;

/** Three processes of the operating system: a cloud, a laptop, a desk; only HTTP lies between them. */
beforeAll(async () => {
  host = openMachine();
  desk = openMachine();
  laptop = openMachine();
  const command = scriptedAgent(join(laptop.root, "script.json"), [
    { init: {} },
    { count: { to: 40, everyMs: 50, textBytes: 100 } },
    { write: { path: "made.txt", text: "made by the agent\n" } },
    { result: {} },
  ]);
  Object.assign(laptop.env, asClaude(command));
  repo = join(laptop.root, "repo");
  await makeSampleRepo(repo);
  cloud = await serveCloud(host, { dataDir: join(host.root, "cloud") });
  await signUp(laptop, cloud.url);
  await pair(laptop, desk, cloud.url);
});
afterAll(async () => {
  await laptop.remove();
  await desk.remove();
  await cloud.stop();
  await host.remove();
});

test("a session of the laptop is followed live on the desk, reviewed there and approved from there", async () => {
  const id = await startSession(laptop, repo);
  // Live: the follower on the desk ends by itself when the session waits, and has seen every event once.
  await until(async () => (await show(desk, id)) !== null, 30);
  const followed = await desk.cli(["logs", id, "-f", "--json"]);
  const seen = linesOf(followed.stdout);
  expect(seen.map((event) => event.seq)).toEqual(seen.map((_, index) => index + 1));
  expect(seen.at(-1)?.type).toBe("task.finished");
  await statusAt(desk, id, "awaiting_approval");
  expect(await log(desk, id)).toEqual(await log(laptop, id));

  const patch = (await laptop.cli(["diff", id, "--patch"])).stdout;
  expect(patch).toContain("+made by the agent");
  await until(async () => (await desk.cli(["diff", id, "--patch"])).stdout === patch, 30);

  const approved = parse(await desk.cli(["approve", id, "--wait", "--json"])) as {
    status: string;
    branch: string;
    commit: string;
    treeId: string;
  };
  expect(approved).toMatchObject({ sessionId: id, status: "approved" });
  expect(git(repo, "rev-parse", approved.branch)).toBe(approved.commit);
  expect(git(repo, "rev-parse", `${approved.commit}^{tree}`)).toBe(approved.treeId);
  expect((await show(laptop, id))?.status).toBe("approved");
});

test("approved from the desk while the laptop is off: it waits, says so, and is carried out once when it is back", async () => {
  const id = await startSession(laptop, repo);
  await statusAt(desk, id, "awaiting_approval");
  await until(async () => (await desk.cli(["diff", id, "--patch"])).stdout.includes("+made by the agent"), 30);
  expect((await laptop.cli(["daemon", "stop"])).exitCode).toBe(0);
  // The change is reviewed with the laptop off.
  expect((await desk.cli(["diff", id, "--patch"])).stdout).toContain("+made by the agent");

  const sent = await desk.cli(["approve", id]);
  expect(sent.exitCode).toBe(8);
  expect(sent.stdout + sent.stderr).toMatch(/queued: .+ (is away, last heard|has not answered yet)/);
  expect((await show(desk, id))?.status).toBe("awaiting_approval");

  expect((await laptop.cli(["daemon", "start"])).exitCode).toBe(0);
  await statusAt(laptop, id, "approved");
  await statusAt(desk, id, "approved");
  const { branch } = (await show(laptop, id)) as SessionJson;
  expect(git(repo, "rev-list", "--count", `HEAD..${branch}`)).toBe("1");
});

test("an approval of another tree than the present one is refused, and nothing changes", async () => {
  const id = await startSession(laptop, repo);
  await statusAt(desk, id, "awaiting_approval");
  const refused = await desk.cli(["approve", id, "--if-match", "b".repeat(40), "--wait", "--json"]);
  expect(refused.exitCode).toBe(5);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "stale_tree" } });
  expect((await show(laptop, id))?.status).toBe("awaiting_approval");
});

test("approved from both devices at once: one commit, and both are told how it stands", async () => {
  const id = await startSession(laptop, repo);
  await statusAt(desk, id, "awaiting_approval");
  await until(async () => (await show(desk, id))?.lastSeq === (await show(laptop, id))?.lastSeq, 30);
  const words = ["approve", id, "--wait", "--json"];
  const both = await Promise.all([desk.cli(words), laptop.cli(words)]);
  expect(both.map(({ exitCode }) => exitCode)).toContain(0);
  await statusAt(desk, id, "approved");
  const { branch } = (await show(laptop, id)) as SessionJson;
  expect(git(repo, "rev-list", "--count", `HEAD..${branch}`)).toBe("1");
});
