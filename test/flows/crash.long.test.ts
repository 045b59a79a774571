import { expect, test } from "vitest";
import { playCrashStory } from "./crash-story.ts";

test("a daemon killed at any named point ends as one that was not (F01, G03, G04)", async () => {
  const visited = await playCrashStory(null);
  const points = [...new Set(visited)];
  expect(points.length).toBeGreaterThan(25);
  const failures: string[] = [];
  for (const name of points) {
    await playCrashStory({ name, nth: 1 }).catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
  }
  expect(failures).toEqual([]);
});
