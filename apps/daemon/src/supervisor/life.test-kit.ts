import { setTimeout as pause } from "node:timers/promises";
import { inTransaction } from "../database/transaction.ts";
import { touchClone } from "../repos/clone-rows.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { PERSON, type SupervisedHome } from "./supervised-home.test-kit.ts";

/** The lives that the crash tests lead, each with the status it ends in. */
export const LIVES = {
  approve: "approved",
  reject: "rejected",
  resume: "rejected",
  discard: "failed",
  remote: "approved",
  afar: "rejected",
} as const;
export type Life = keyof typeof LIVES;

export const SESSION_ID = "5e55105e-0000-4000-8000-000000000001";
const commandId = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

/**
 * Leads one life: start, run, decide. Every command has a fixed id, so that a person who asks again after a crash
 * gets the stored answer. Resolves when the session has ended.
 */
export async function lead(home: SupervisedHome, life: Life): Promise<void> {
  const id = SESSION_ID;
  const lines = {
    approve: ["say a", "pair b", "finish"],
    reject: ["finish"],
    remote: ["say a", "finish"],
    afar: ["finish"],
  };
  const script = life === "resume" || life === "discard" ? ["say a", "wait never", "finish"] : lines[life];
  const prompt = ["Work", ...script].join("\n");
  if (life === "afar") await startFromAfar(home, prompt);
  else await home.sessions.start({ commandId: commandId(1), sessionId: id, repoPath: home.dir, prompt }, PERSON);
  const about = (n: number) => ({ commandId: commandId(n), sessionId: id, expects: [] });
  if (life === "resume" || life === "discard") {
    await untilPast(home, 2);
    await home.sessions.stop(about(2), PERSON);
    if (life === "discard") return void (await home.sessions.discard(about(3), PERSON));
    await home.sessions.resume({ ...about(3), prompt: "on\nsay c\nfinish" }, PERSON);
  }
  const { status, treeId } = await home.until(id, "awaiting_approval", "approved", "rejected", "failed");
  if (status === "failed") return;
  if (life === "approve") await home.sessions.approve({ ...about(4), treeId: treeId ?? "" }, PERSON);
  else if (life === "remote") {
    await home.receive({ id: commandId(6), sessionId: id, payload: { kind: "approve", treeId: treeId ?? "" } });
  } else await home.sessions.reject(about(5), PERSON);
}

/** Waits until so many events are stored or the session has left running. */
async function untilPast(home: SupervisedHome, seq: number): Promise<void> {
  const deadline = Date.now() + 25_000;
  for (;;) {
    const session = await home.sessions.get(SESSION_ID);
    if (session !== null && (session.lastSeq >= seq || !["queued", "running"].includes(session.status))) return;
    if (Date.now() > deadline) throw new Error(`still ${session?.status} ${session?.lastSeq}`);
    await pause(5);
  }
}

/** Another device asks for the session, in a checkout that lies here. */
async function startFromAfar(home: SupervisedHome, prompt: string): Promise<void> {
  const { dir, store } = home;
  const at = "2026-01-01T00:00:00.000Z";
  const repoKey = "abcdefabcdef";
  inTransaction(store, (tx) => {
    touchRepo(tx, { repoKey, name: "repo", remote: null, matchKey: "repo", defaultBranch: "main" }, at);
    touchClone(tx, { repoKey, path: dir, commonDir: `${dir}/.git`, rootCommit: null, objectFormat: "sha1" }, at);
  });
  const taskId = "5e55105e-0000-4000-8000-00000000000a";
  const options = { sessionId: SESSION_ID, prompt, agent: "sample", repoKey, taskId } as const;
  await home.receive({ id: commandId(7), sessionId: SESSION_ID, payload: { kind: "start", options } });
}
