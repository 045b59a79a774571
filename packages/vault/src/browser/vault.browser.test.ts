import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { AgreeStorage } from "../keys/browser-keys.ts";
import type { PageResult, VaultPage } from "./page.test-kit.ts";

interface Launch {
  executablePath: string;
  args: string[];
}

let folder: string;
let server: Server;
let context: BrowserContext;
let page: Page;
let origin: string;

const inPage = (): VaultPage => (globalThis as unknown as { vaultPage: VaultPage }).vaultPage;
const call = `(${inPage.toString()})()`;
const ask = (method: keyof VaultPage, ...args: unknown[]): Promise<unknown> =>
  page.evaluate(`${call}.${method}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codehands-vault-browser-"));
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL("page.test-kit.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2023",
    conditions: ["source"],
  });
  const script = bundle.outputFiles[0]?.text ?? "";
  server = createServer((request, answer) => {
    const isScript = request.url === "/vault.js";
    answer.setHeader("content-type", isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8");
    answer.end(isScript ? script : '<!doctype html><title>vault</title><script src="/vault.js"></script>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { executablePath, args } = inject("chromium" as never) as Launch;
  context = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath, args, headless: true });
  page = await context.newPage();
  await page.goto(origin);
}, 120_000);

afterAll(async () => {
  await context?.close();
  await new Promise((resolve) => {
    server?.close(resolve);
  });
  await rm(folder, { recursive: true, force: true });
});

describe("the vault in Chromium", () => {
  test("V1 every vector of the format holds", async () => {
    const results = (await ask("vectors")) as PageResult[];
    expect(results.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(results.length).toBeGreaterThanOrEqual(21);
  });

  test("V5 the self-test finds out how keys can be kept, or that they cannot", async () => {
    expect(await ask("storage", "nothing")).toBe("key");
    expect(await ask("storage", "agreement")).toBe("wrapped");
    expect(await ask("storage", "all")).toBe(null);
  });

  for (const how of ["key", "wrapped"] satisfies AgreeStorage[]) {
    test(`V5 keys kept in IndexedDB as ${how} come back in a new page, sign and agree, and are never given out`, async () => {
      const publicKey = await ask("makeKeys", how);
      await page.goto("about:blank");
      await page.goto(origin);
      expect(await ask("useKeys", how, publicKey)).toBe("fine");
    });
  }
});
