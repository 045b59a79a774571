import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ChromiumLaunch } from "./chromium.ts";

/** The little of esbuild and playwright-core that is used here. Whoever opens a page depends on them and hands them in. */
export interface PageTools {
  build: (options: {
    entryPoints: string[];
    bundle: true;
    write: false;
    format: "iife";
    platform: "browser";
    target: string;
    conditions: string[];
    alias: Record<string, string>;
  }) => Promise<{ outputFiles: { text: string }[] }>;
  chromium: {
    launchPersistentContext: (folder: string, options: ChromiumLaunch & { headless: true }) => Promise<BrowserContext>;
  };
}
interface BrowserContext {
  newPage: () => Promise<BrowserPage>;
  close: () => Promise<void>;
}
interface BrowserPage {
  goto: (url: string) => Promise<unknown>;
  evaluate: (expression: string) => Promise<unknown>;
}

export interface PageOptions extends PageTools {
  /** The module that runs in the page. It puts an object of functions into `globalThis.testPage`. */
  entry: URL;
  launch: ChromiumLaunch;
  /** Modules that stand in the page for others, by name. */
  alias?: Record<string, URL>;
}

/** A page of `T` in a real browser, over http on loopback, with a profile of its own. */
export interface OpenedPage<T extends object> {
  /** Calls a function of the page; arguments and result travel as JSON. */
  ask: (method: keyof T & string, ...args: unknown[]) => Promise<unknown>;
  /** Leaves the page and opens it again: what it kept in memory is gone. */
  reload: () => Promise<void>;
  close: () => Promise<void>;
}

/** Bundles a module, serves it and opens it in Chromium. `close` leaves nothing behind. */
export async function openPage<T extends object>(o: PageOptions): Promise<OpenedPage<T>> {
  const script = await bundle(o);
  const server = await serve(script);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "codehands-page-"));
  const context = await o.chromium.launchPersistentContext(join(folder, "profile"), { ...o.launch, headless: true });
  const page = await context.newPage();
  await page.goto(origin);
  return {
    ask: (method, ...args) =>
      page.evaluate(`globalThis.testPage.${method}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`),
    async reload() {
      await page.goto("about:blank");
      await page.goto(origin);
    },
    async close() {
      await context.close();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function bundle({ build, entry, alias = {} }: PageOptions): Promise<string> {
  const bundled = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2023",
    conditions: ["source"],
    alias: Object.fromEntries(Object.entries(alias).map(([name, url]) => [name, fileURLToPath(url)])),
  });
  return bundled.outputFiles[0]?.text ?? "";
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, answer) => {
    const isScript = request.url === "/page.js";
    answer.setHeader("content-type", isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8");
    answer.end(isScript ? script : '<!doctype html><title>test</title><script src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}
