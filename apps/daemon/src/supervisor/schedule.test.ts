import { expect, test } from "vitest";
import { createLanes } from "./lanes.ts";
import { planSchedule } from "./schedule.ts";

const waiting = (...entries: string[]) =>
  entries.map((entry) => ({ sessionId: entry.slice(0, 1), place: entry.slice(1) }));

test("the first that came start first, up to what the device may run", () => {
  const plan = { waiting: waiting("a1", "b2", "c3"), running: ["9"], concurrency: 3 };
  expect(planSchedule(plan)).toEqual(["a", "b"]);
  expect(planSchedule({ ...plan, concurrency: 1 })).toEqual([]);
  expect(planSchedule({ ...plan, running: [], concurrency: 0 })).toEqual([]);
});

test("two never share a worktree: the second is passed over, not the queue", () => {
  expect(planSchedule({ waiting: waiting("a1", "b1", "c2", "d9"), running: ["9"], concurrency: 4 })).toEqual([
    "a",
    "c",
  ]);
});

test("work of one lane runs in its order, whatever becomes of it; lanes do not wait for each other", async () => {
  const free: string[] = [];
  const lanes = createLanes((lane) => free.push(lane));
  const order: string[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = lanes.run("a", async () => {
    await gate;
    order.push("a1");
    throw new Error("broken");
  });
  const second = lanes.run("a", async () => void order.push("a2"));
  await lanes.run("b", async () => void order.push("b1"));
  expect(lanes.busy("a")).toBe(true);
  open();
  await expect(first).rejects.toThrow("broken");
  await second;
  await lanes.idle();
  expect(order).toEqual(["b1", "a1", "a2"]);
  expect(free.sort()).toEqual(["a", "b"]);
  expect(lanes.busy("a")).toBe(false);
});
