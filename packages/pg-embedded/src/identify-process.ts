import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";

/** When a process was started, as text that no later process with the same pid repeats; null when it is gone. */
export function processBirth(pid: number): string | null {
  if (process.platform !== "linux") return ask(pid, "lstart=");
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie holds its pid and does nothing any more.
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

/** The command line of a process; empty when it is gone. */
export function processCommand(pid: number): string {
  if (process.platform !== "linux") return ask(pid, "command=") ?? "";
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function ask(pid: number, column: string): string | null {
  try {
    const said = execFileSync("ps", ["-o", column, "-p", String(pid)], {
      encoding: "utf8",
      env: SERVER_ENVIRONMENT,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return said === "" ? null : said;
  } catch {
    return null;
  }
}
