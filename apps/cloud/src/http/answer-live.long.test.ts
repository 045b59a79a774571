import { afterAll, beforeAll, expect, test } from "vitest";
import { type LivePaths, openLivePaths, PATHS, type Path, TOKEN } from "./live-paths.test-kit.ts";

let live: LivePaths;
beforeAll(async () => {
  live = await openLivePaths();
});
afterAll(() => live.close());

/** What a stream says until its first ping. */
async function untilPing(path: Path): Promise<string> {
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { body } = await fetch(live.address(path), { headers, signal: leave.signal });
  let said = "";
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    said += new TextDecoder().decode(part);
    if (/event: ping\n[\s\S]*\n\n\n/.test(said)) break;
  }
  leave.abort();
  return said;
}

test("a stream on which nothing happens says that it is there, in the router's words", async () => {
  live.says(async function* (signal) {
    yield { kind: "head", head: 3 };
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const [said, routerSaid] = await Promise.all(PATHS.map(untilPing));
  expect(said).toBe(routerSaid);
  expect(said).toMatch(/"head":3[\s\S]*event: ping\n/);
});
