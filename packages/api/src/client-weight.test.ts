import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The packages that a source file needs at run time, through all files of ours. Type imports are gone by then. */
function packagesOf(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return new Set();
  seen.add(file.href);
  const found = new Set<string>();
  const source = readFileSync(file, "utf8");
  for (const [, from = ""] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm)) {
    if (!from.startsWith(".")) found.add(from);
    else for (const each of packagesOf(new URL(from, file), seen)) found.add(each);
  }
  return found;
}
const needs = (door: string): string[] => [...packagesOf(new URL(door, import.meta.url))].sort();

test("the client carries no schema and no router: a page beside a daemon pays for the calls alone", () => {
  for (const door of ["./client.ts", "./cloud-client.ts"])
    expect(needs(door), door).toEqual(["@trpc/client", "@trpc/server/observable", "eventsource"]);
});

test("no source of this package needs Node, so that the router runs in a browser", () => {
  const all = ["./index.ts", "./local.ts", "./client.ts", "./cloud.ts", "./cloud-client.ts"].flatMap(needs);
  expect(needs("./http.ts")).toEqual([]);
  expect(all).toContain("zod");
  expect(all.filter((each) => each.startsWith("node:"))).toEqual([]);
});
