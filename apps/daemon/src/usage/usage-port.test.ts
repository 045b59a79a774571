import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { inTransaction } from "../database/transaction.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { putRun } from "../runs/run-rows.ts";
import { insertSession } from "../sessions/session-rows.ts";
import { openSettingsRoom } from "../settings/settings-room.test-kit.ts";
import { insertTask } from "../tasks/task-rows.ts";
import { createUsage } from "./usage-port.ts";

let room: ReturnType<typeof openSettingsRoom>;
beforeEach(() => {
  room = openSettingsRoom();
});
afterEach(() => room.close());

const usage = () => createUsage(room.store, { deviceId: "mine", deviceName: "laptop" });

/** A session whose runs ended at these totals, each started on the day beside it. */
function ran(
  session: { agent: string; repo: string; device?: string; usage?: string },
  runs: [string, number | null][],
) {
  const sessionId = randomUUID();
  const { agent, repo, device = "mine", usage: tokens = null } = session;
  const createdAt = "2026-11-01T00:00:00.000Z";
  const repoKey = `${repo}-key`;
  inTransaction(room.store, (tx) => {
    touchRepo(tx, { repoKey, name: repo, remote: null, matchKey: repo, defaultBranch: null }, createdAt);
    insertTask(tx, {
      id: sessionId,
      repoKey,
      title: "t",
      prompt: "p",
      createdBy: device,
      createdAt,
      activeSessionId: null,
    });
    const plain = { taskId: sessionId, repoKey, repoPath: "/r", deviceId: device, title: "t", prompt: "p", createdAt };
    insertSession(tx, { id: sessionId, ...plain, agent, usage: tokens });
    for (const [index, [day, costUsd]] of runs.entries()) {
      putRun(tx, {
        ...{
          id: randomUUID(),
          sessionId,
          ordinal: index + 1,
          phase: "single",
          kind: "start",
          model: null,
          prompt: null,
        },
        ...{ state: "ended", pid: null, pgid: null, startTicks: null, bootId: null, byteOffset: 0, errOffset: 0 },
        ...{ exitCode: 0, signal: null, costUsd, startedAt: `${day}T12:00:00.000Z`, endedAt: null },
      });
    }
  });
}

it("nothing ran: nothing was used", async () => {
  expect(await usage().report({ by: "day" })).toEqual({
    by: "day",
    rows: [],
    total: { sessions: 0, runs: 0, costUsd: 0 },
  });
});

it("a resumed session's money is counted once, on the day it was spent", async () => {
  ran({ agent: "claude-code", repo: "app", usage: '{"inputTokens":10,"cachedInputTokens":5,"outputTokens":7}' }, [
    ["2026-11-01", 0.1],
    ["2026-11-02", null],
    ["2026-11-03", 0.3],
  ]);
  ran({ agent: "sample", repo: "app", usage: "not json" }, [["2026-11-03", 0]]);
  expect((await usage().report({ by: "day" })).rows).toEqual([
    { key: "2026-11-03", sessions: 2, runs: 2, costUsd: 0.2, inputTokens: 0, outputTokens: 0 },
    { key: "2026-11-02", sessions: 1, runs: 1, costUsd: 0, inputTokens: 0, outputTokens: 0 },
    { key: "2026-11-01", sessions: 1, runs: 1, costUsd: 0.1, inputTokens: 15, outputTokens: 7 },
  ]);
  const since = await usage().report({ by: "agent", since: "2026-11-02T00:00:00+02:00" });
  expect(since.total).toEqual({ sessions: 2, runs: 3, costUsd: 0.2 });
});

it("groups by agent, repository and device; the most expensive first", async () => {
  ran({ agent: "claude-code", repo: "app" }, [["2026-11-01", 0.25]]);
  ran({ agent: "codex", repo: "lib" }, [["2026-11-01", 1]]);
  ran({ agent: "codex", repo: "lib", device: "other" }, [["2026-11-01", 0.5]]);
  const keys = async (by: "agent" | "repo" | "device") =>
    (await usage().report({ by })).rows.map((row) => [row.key, row.costUsd]);
  expect(await keys("agent")).toEqual([
    ["codex", 1.5],
    ["claude-code", 0.25],
  ]);
  expect(await keys("repo")).toEqual([
    ["lib (lib-key)", 1.5],
    ["app (app-key)", 0.25],
  ]);
  expect(await keys("device")).toEqual([
    ["laptop", 1.25],
    ["other", 0.5],
  ]);
});
