import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";

/** What a test needs to start a browser. It is data, so that it can be handed to another process. */
export interface ChromiumLaunch {
  executablePath: string;
  args: string[];
}

declare module "vitest" {
  export interface ProvidedContext {
    chromium: ChromiumLaunch;
  }
}

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable"];

/** Nothing but the page under test may be asked for, and nothing of it may stay. */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where a Chromium is installed, or null. */
export function findChromium(exists: (path: string) => boolean = existsSync): string | null {
  return PLACES.find((path) => exists(path)) ?? null;
}

/** Installs Debian's Chromium. Throws with what to do by hand where that is not possible. */
export function installChromium(): void {
  const byHand = "Install it by hand and run the tests again: apt-get install chromium";
  if (process.getuid?.() !== 0)
    throw new Error(`The browser tests need Chromium, and only root can install it. ${byHand}`);
  if (!existsSync("/usr/bin/apt-get"))
    throw new Error(`The browser tests need Chromium at ${PLACES.join(" or ")}, and this system has no apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]): void => {
    try {
      execFileSync("/usr/bin/apt-get", args, { env, stdio: ["ignore", "ignore", "pipe"] });
    } catch (error) {
      const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
      throw new Error(`apt-get ${args[0]} failed: ${said}\n${byHand}`, { cause: error });
    }
  };
  apt("update");
  apt("install", "--yes", "--no-install-recommends", "chromium");
}

/** Before the project "browser": a Chromium is there, installed when it was missing, and every test is told where. */
export default function setup(project: TestProject): void {
  if (findChromium() === null) installChromium();
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(`Chromium was installed and is at none of ${PLACES.join(", ")}.`);
  project.provide("chromium", { executablePath, args: ARGS });
}
