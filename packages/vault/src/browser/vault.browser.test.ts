import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type OpenedPage, openPage } from "../../../../test/kit/open-page.ts";
import type { AgreeStorage } from "../keys/browser-keys.ts";
import type { PageResult, VaultPage } from "./page.test-kit.ts";

let page: OpenedPage<VaultPage>;
beforeAll(async () => {
  const entry = new URL("page.test-kit.ts", import.meta.url);
  page = await openPage({ entry, launch: inject("chromium"), build, chromium });
}, 120_000);
afterAll(async () => page?.close());

describe("the vault in Chromium", () => {
  test("V1 every vector of the format holds", async () => {
    const results = (await page.ask("vectors")) as PageResult[];
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(21);
  });

  test("V5 the self-test finds out how keys can be kept, or that they cannot", async () => {
    expect(await page.ask("storage", "nothing")).toBe("key");
    expect(await page.ask("storage", "agreement")).toBe("wrapped");
    expect(await page.ask("storage", "all")).toBe(null);
  });

  for (const how of ["key", "wrapped"] satisfies AgreeStorage[]) {
    test(`V5 keys kept in IndexedDB as ${how} come back in a new page, sign and agree, and are never given out`, async () => {
      const publicKey = await page.ask("makeKeys", how);
      await page.reload();
      expect(await page.ask("useKeys", how, publicKey)).toBe("fine");
    });
  }
});
