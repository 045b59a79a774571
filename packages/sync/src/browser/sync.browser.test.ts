import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type OpenedPage, openPage } from "../../../../test/kit/open-page.ts";
import type { PageResult, SyncPage } from "./page.test-kit.ts";

let page: OpenedPage<SyncPage>;
beforeAll(async () => {
  const entry = new URL("page.test-kit.ts", import.meta.url);
  const alias = { vitest: new URL("vitest-in-page.test-kit.ts", import.meta.url) };
  page = await openPage({ entry, alias, launch: inject("chromium"), build, chromium });
}, 120_000);
afterAll(async () => page?.close());

const broken = (results: PageResult[]): PageResult[] => results.filter(({ failure }) => failure !== null);

describe("sync in Chromium", () => {
  test("S8 S34 the browser's own database keeps the contract of all stores", async () => {
    const results = (await page.ask("contract")) as PageResult[];
    expect(broken(results)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(12);
  });

  test("a store that loses a sort of writes does not", async () => {
    for (const forgets of ["append", "cut", "forget-rows", "log", "unwait"])
      expect(broken((await page.ask("contract", forgets)) as PageResult[])).not.toEqual([]);
  });

  test("P1–P6 hold for the client loop over IndexedDB: 60 seeds", async () => {
    for (let from = 1; from <= 60; from += 20) {
      const results = (await page.ask("adversary", { from, to: from + 19, steps: 100 })) as PageResult[];
      expect(broken(results)).toEqual([]);
      expect(results).toHaveLength(20);
    }
  }, 600_000);

  test("a database that loses a sort of writes is found by the adversary", async () => {
    for (const forgets of ["record", "log", "append"]) {
      const results = (await page.ask("adversary", { from: 1, to: 3, steps: 100, forgets })) as PageResult[];
      expect(broken(results)).not.toEqual([]);
    }
  });
});
