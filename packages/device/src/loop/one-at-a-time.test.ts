import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("what is asked for while it runs runs once more, never beside itself", async () => {
  const gates: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const run = oneAtATime(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((open) => gates.push(open));
    running -= 1;
  });
  const first = run();
  const others = [run(), run(), run()];
  gates.shift()?.();
  await first;
  // One that comes in the moment between two runs joins the next one.
  const late = run();
  while (gates.length === 0) await Promise.resolve();
  gates.shift()?.();
  await Promise.all([...others, late]);
  expect(most).toBe(1);
  expect(gates).toEqual([]);
});

test("a run that fails is told to whoever asked for it, and the next one runs all the same", async () => {
  let fails = true;
  const run = oneAtATime(async () => {
    if (fails) throw new Error("away");
  });
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow("away");
  await expect(second).rejects.toThrow("away");
  fails = false;
  await run();
});
