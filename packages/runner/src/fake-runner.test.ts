import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createFakeRunner } from "./fake-runner.ts";
import { collect, takeUntil } from "./runner.test-kit.ts";

const start = () => ({ sessionId: randomUUID(), repoPath: "/repo", prompt: "Fix it", agent: "claude-code" as const });

test("twelve events, numbered from one, ending with task.finished", async () => {
  const all = await collect(createFakeRunner({ delayMs: 1 }).start(start()));
  expect(all).toHaveLength(12);
  expect(all.map((event) => event.seq)).toEqual(all.map((_, index) => index + 1));
  expect(all[0]?.type).toBe("task.started");
  expect(all.at(-1)?.type).toBe("task.finished");
});

test("approve only after it finished", async () => {
  const runner = createFakeRunner({ delayMs: 1 });
  const options = start();
  const { rest } = await takeUntil(runner.start(options), (event) => event.type === "file.read");
  await expect(runner.approve(options.sessionId, "x")).rejects.toMatchObject({ code: "illegal_move" });
  await collect(rest);
  expect((await runner.approve(options.sessionId, "x")).branch).toMatch(/^codehands\/fix-it-/);
});

test("stop, then resume with the numbering going on", async () => {
  const runner = createFakeRunner({ delayMs: 1 });
  const options = start();
  const { taken, rest } = await takeUntil(runner.start(options), (event) => event.type === "file.read");
  await runner.stop(options.sessionId);
  const after = await collect(rest);
  expect(after.map((event) => event.type)).toEqual(["task.stopped"]);
  const resumed = await collect(runner.resume(options.sessionId));
  expect(resumed[0]?.seq).toBe(taken.length + after.length + 1);
  expect(resumed.at(-1)?.type).toBe("task.finished");
});
