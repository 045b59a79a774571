import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
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
  route: (url: string, answer: (route: PageRoute) => Promise<void>) => Promise<unknown>;
}
interface PageRoute {
  fulfill: (answer: { contentType: string; body: string }) => Promise<void>;
}

export interface PageOptions extends PageTools {
  /** The module that runs in the page. It puts an object of functions into `globalThis.testPage`. */
  entry: URL;
  launch: ChromiumLaunch;
  /** Where the page stands; a server of its own when absent. Whoever is there answers all but the page and its script. */
  origin?: string;
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

const PAGE = '<!doctype html><title>test</title><script src="/page.js"></script>';
const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** Bundles a module, serves it and opens it in Chromium. `close` leaves nothing behind. */
export async function openPage<T extends object>(o: PageOptions): Promise<OpenedPage<T>> {
  const script = await bundle(o);
  const folder = await mkdtemp(join(tmpdir(), "codehands-page-"));
  const context = await o.chromium.launchPersistentContext(join(folder, "profile"), { ...o.launch, headless: true });
  const page = await context.newPage();
  const { address, close } = o.origin === undefined ? await serve(script) : await standAt(page, o.origin, script);
  await page.goto(address);
  return {
    ask: (method, ...args) =>
      page.evaluate(`globalThis.testPage.${method}(${args.map((arg) => JSON.stringify(arg)).join(", ")})`),
    async reload() {
      await page.goto("about:blank");
      await page.goto(address);
    },
    async close() {
      await context.close();
      await close();
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

/** Where a page can be opened. */
interface Stand {
  address: string;
  close: () => Promise<void>;
}

async function serve(script: string): Promise<Stand> {
  const server = createServer((request, answer) => {
    const isScript = request.url === "/page.js";
    answer.setHeader("content-type", isScript ? SCRIPT : HTML);
    answer.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Puts the page and its script before whoever is at an origin: also when nobody is there. */
async function standAt(page: BrowserPage, origin: string, script: string): Promise<Stand> {
  const address = `${origin}/test-page`;
  await page.route(address, (route) => route.fulfill({ contentType: HTML, body: PAGE }));
  await page.route(`${origin}/page.js`, (route) => route.fulfill({ contentType: SCRIPT, body: script }));
  return { address, close: () => Promise.resolve() };
}
