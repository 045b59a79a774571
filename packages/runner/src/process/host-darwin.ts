import { execFileSync } from "node:child_process";
import type { ProcessFacts, ProcessHost } from "./host.ts";

const COLUMNS = "pid=,ppid=,pgid=,state=,time=,lstart=";

/** Reads one line of `ps -o pid=,ppid=,pgid=,state=,time=,lstart=`; null when it is not one. */
export function parsePsLine(line: string): ProcessFacts | null {
  const match =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S)\S*\s+(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.(\d\d))?\s+(\S.*\S)\s*$/.exec(line);
  if (match === null) return null;
  const [, pid, ppid, pgid, state = "", days, hours, minutes, seconds, hundredths, started = ""] = match;
  const wholeSeconds = ((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    state,
    cpuTicks: wholeSeconds * 100 + Number(hundredths ?? 0),
    startTicks: started.replace(/\s+/g, " "),
  };
}

/** macOS: everything is asked of `ps`, `sysctl` and `lsof`. */
export const hostDarwin: ProcessHost = {
  bootId: () => /sec = \d+/.exec(ask("sysctl", ["-n", "kern.boottime"]))?.[0] ?? "",
  look: (pid) => parsePsLine(ask("ps", ["-o", COLUMNS, "-p", String(pid)])),
  list: (seen) =>
    ask("ps", ["-A", "-o", COLUMNS])
      .split("\n")
      .map(parsePsLine)
      .filter((facts) => facts !== null)
      .filter(({ pid }) => !seen.has(pid)),
  // `ps -E` writes the environment after the command, divided by blanks: enough to find a marker in.
  environments: (pids) => {
    const lines =
      pids.length === 0 ? [] : ask("ps", ["-E", "-ww", "-o", "pid=,command=", "-p", pids.join(",")]).split("\n");
    const found = lines.map((line) => /^\s*(\d+)\s(.*)$/.exec(line)).filter((match) => match !== null);
    return new Map(found.map(([, pid, text = ""]) => [Number(pid), `${text.trim().replaceAll(" ", "\0")}\0`]));
  },
  directory: (pid) => /^n(\/.*)$/m.exec(ask("lsof", ["-a", "-d", "cwd", "-Fn", "-p", String(pid)]))?.[1] ?? null,
};

function ask(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 << 20,
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" },
    });
  } catch {
    return "";
  }
}
