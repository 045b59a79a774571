import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionStatus } from "@codehands/contracts";
import { expect } from "vitest";
import { foldEvent } from "../sessions/fold-event.ts";
import { LIVES, type Life, lead, SESSION_ID } from "./life.test-kit.ts";
import { landedCommits } from "./scripted-branch.test-kit.ts";
import { makeHome, openHome, removeHome } from "./supervised-home.test-kit.ts";

const CHILD = fileURLToPath(new URL("./crash-child.test-kit.ts", import.meta.url));

/** Leads a life in a process of its own; `point` kills it there. Returns the signal it died of. */
async function runChild(dir: string, life: Life, point?: { name: string; nth: number }): Promise<string | null> {
  const words = ["--conditions=source", "--import", "tsx", CHILD, dir, life];
  if (point !== undefined) words.push(point.name, String(point.nth));
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (code !== 0 && signal === null) throw new Error(`the child failed: ${errors}`);
  return signal;
}

export interface DryRun {
  /** Every visit of every point, in order. */
  points: { name: string; nth: number }[];
  types: string[];
}

/** Leads a life without a crash: what points there are, and what its log looks like. */
export async function dryRun(life: Life): Promise<DryRun> {
  const dir = makeHome();
  try {
    expect(await runChild(dir, life)).toBeNull();
    const visits = new Map<string, number>();
    const names = readFileSync(join(dir, "points.log"), "utf8").trim().split("\n");
    const points = names.map((name) => {
      const nth = (visits.get(name) ?? 0) + 1;
      visits.set(name, nth);
      return { name, nth };
    });
    const home = await openHome({ dir, idle: true });
    const { events } = await home.sessions.events({ sessionId: SESSION_ID, afterSeq: 0, limit: 1_000 });
    await home.close();
    return { points, types: events.map((event) => event.type) };
  } finally {
    removeHome(dir);
  }
}

/** Kills the daemon at a point of a life, starts it again, lets the person ask again, and checks what came of it. */
export async function crashAndCheck(life: Life, point: { name: string; nth: number }, types: string[]): Promise<void> {
  const dir = makeHome();
  const where = `${life} ${point.name}:${point.nth}`;
  try {
    expect(await runChild(dir, life, point), where).toBe("SIGKILL");
    const home = await openHome({ dir });
    try {
      await lead(home, life);
      const session = await home.until(SESSION_ID, "approved", "rejected", "failed");
      expect(session.status, where).toBe(LIVES[life]);
      const { events } = await home.sessions.events({ sessionId: SESSION_ID, afterSeq: 0, limit: 1_000 });
      expect(
        events.map((event) => event.seq),
        where,
      ).toEqual(events.map((_, index) => index + 1));
      expect(
        events.map((event) => event.type),
        where,
      ).toEqual(types);
      expect(statusByEvents(events), where).toBe(life === "discard" ? "failed" : "awaiting_approval");
      expect(landedCommits(dir, SESSION_ID), where).toHaveLength(LIVES[life] === "approved" ? 1 : 0);
      expect(
        home.store.prepare("select count(*) from commands where state in ('claimed', 'in_doubt')").pluck().get(),
        where,
      ).toBe(0);
      expect(home.store.prepare("select count(*) from runs where state <> 'ended'").pluck().get(), where).toBe(0);
    } finally {
      await home.close();
    }
  } finally {
    removeHome(dir);
  }
}

/** I3: the status that the log alone leads to. */
function statusByEvents(events: { seq: number; type: string; at: string; payload: Record<string, unknown> }[]): string {
  let status: SessionStatus = "queued";
  for (const event of events) {
    const fold = foldEvent({ status, agent: "sample", startedAt: null, usage: null }, event);
    if (!fold.ok) throw new Error(fold.reason);
    status = fold.to ?? status;
  }
  return status;
}
