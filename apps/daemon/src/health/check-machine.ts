import { readFile } from "node:fs/promises";
import type { CheckView } from "@codehands/api";
import type { AskProgram } from "../agents/ask-program.ts";
import { found } from "./check.ts";

/** The Node.js that runs us. */
export function checkNode(version: string): CheckView {
  return isAtLeast(version, [20, 19])
    ? found.ok(["node", "Node.js"], version)
    : found.fail(["node", "Node.js"], `${version} is too old`, "install Node.js 20.19 or newer");
}

/** The git on PATH. */
export async function checkGit(ask: AskProgram): Promise<CheckView> {
  const text = (await ask(["git", "--version"])).stdout;
  const version = /git version (\d+\.\d+[\w.]*)/.exec(text)?.[1];
  if (version === undefined) return found.fail(["git", "git"], "not found on PATH", "install git 2.30 or newer");
  return isAtLeast(version, [2, 30])
    ? found.ok(["git", "git"], version)
    : found.fail(["git", "git"], `${version} is too old`, "install git 2.30 or newer");
}

/** Whether agents run inside a sandbox. This version has none, and says so. */
export function checkSandbox(wished: "off" | "auto" | undefined): CheckView {
  const detail = "none: an agent runs as your own user, bounded by its own permission rules and its private worktree";
  return wished === "auto"
    ? found.warn(["sandbox", "sandbox"], `${detail}; sandbox: auto finds none to use`, "codehands help security")
    : found.ok(["sandbox", "sandbox"], detail);
}

/** Whether there are enough file watches: one per running agent. Without them its output is looked at on a timer. */
export async function checkWatches(
  platform: NodeJS.Platform,
  folder = "/proc/sys/fs/inotify",
): Promise<CheckView | null> {
  if (platform !== "linux") return null;
  const read = async (name: string): Promise<number> =>
    Number(await readFile(`${folder}/${name}`, "utf8").catch(() => "NaN"));
  const [instances, watches] = [await read("max_user_instances"), await read("max_user_watches")];
  if (Number.isNaN(instances) || Number.isNaN(watches)) return null;
  const detail = `${instances} instances, ${watches} watches`;
  return instances < 64 || watches < 8_192
    ? found.warn(
        ["inotify", "file watches"],
        `${detail} for your user is little`,
        "sudo sysctl fs.inotify.max_user_instances=128 fs.inotify.max_user_watches=65536",
      )
    : found.ok(["inotify", "file watches"], detail);
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version
    .replace(/^v/, "")
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
