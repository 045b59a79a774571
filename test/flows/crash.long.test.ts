import { expect, test } from "vitest";
import { playCrashStory } from "./crash-story.ts";

test("a daemon killed at any named point ends as one that was not (F01, G03, G04)", async () => {
  const visited = await playCrashStory(null);
  const points = [...new Set(visited)];
  expect(points.length).toBeGreaterThan(25);
  const failures: string[] = [];
  // A story mostly waits: two of them go side by side, each in a home of its own.
  const rest = points.values();
  async function playRest(): Promise<void> {
    for (const name of rest)
      await playCrashStory({ name, nth: 1 }).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
  }
  await Promise.all([playRest(), playRest()]);
  expect(failures).toEqual([]);
}, 1_500_000);
