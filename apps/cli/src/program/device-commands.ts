import type { CommandSpec, FlagSpec } from "./command-spec.ts";
import { oneOf, timeSince, wholeNumber } from "./parse-value.ts";

const group = "This device:";
const USAGE_BY = ["day", "agent", "repo", "device"] as const;
const origin: FlagSpec = { flags: "--show-origin", about: "say where each value comes from" };

/** The commands about the daemon, repositories, settings and costs of this device. */
export const DEVICE_COMMANDS: readonly CommandSpec[] = [
  {
    path: "daemon start",
    about: "start the daemon if it does not run",
    group,
    load: async () => (await import("../commands/daemon-start.ts")).daemonStart,
  },
  {
    path: "daemon stop",
    about: "stop the daemon; agents go on and are picked up again later",
    group,
    load: async () => (await import("../commands/daemon-stop.ts")).daemonStop,
  },
  {
    path: "daemon restart",
    about: "stop the daemon and start the installed version; agents go on",
    group,
    load: async () => (await import("../commands/daemon-restart.ts")).daemonRestart,
  },
  {
    path: "daemon status",
    about: "whether the daemon runs, and what it does",
    group,
    load: async () => (await import("../commands/daemon-status.ts")).daemonStatus,
  },
  {
    path: "daemon logs",
    about: "the daemon's own log",
    group,
    flags: [
      {
        flags: "-n, --lines <n>",
        about: "the newest n lines (default 100)",
        parse: () => wholeNumber("--lines", 1, 100_000),
      },
    ],
    load: async () => (await import("../commands/daemon-logs.ts")).daemonLogs,
  },
  {
    path: "doctor",
    about: "check that everything works, and say how to repair what does not",
    group,
    flags: [
      { flags: "--fix", about: "repair what can be repaired safely" },
      { flags: "--probe", about: "also ask the agents whether they are signed in" },
    ],
    load: async () => (await import("../commands/doctor.ts")).doctor,
  },
  {
    path: "repos ls",
    about: "the repositories that sessions ran in",
    group,
    load: async () => (await import("../commands/repos-ls.ts")).reposLs,
  },
  {
    path: "repos trust",
    args: "[dir]",
    about: "let the settings file of a repository count, as it is now",
    group,
    decides: true,
    load: async () => (await import("../commands/repos-trust.ts")).reposTrust,
  },
  {
    path: "repos untrust",
    args: "[dir]",
    about: "take that back",
    group,
    decides: true,
    load: async () => (await import("../commands/repos-untrust.ts")).reposUntrust,
  },
  {
    path: "repos relocate",
    args: "<old> <new>",
    about: "say where a moved repository lies now",
    group,
    decides: true,
    load: async () => (await import("../commands/repos-relocate.ts")).reposRelocate,
  },
  {
    path: "config list",
    about: "all settings with their values",
    group,
    flags: [origin],
    load: async () => (await import("../commands/config-list.ts")).configList,
  },
  {
    path: "config get",
    args: "<key>",
    about: "one setting's value",
    group,
    flags: [origin],
    load: async () => (await import("../commands/config-get.ts")).configGet,
  },
  {
    path: "config set",
    args: "<key> <value...>",
    about: "set a value; several values make a list",
    group,
    decides: true,
    load: async () => (await import("../commands/config-set.ts")).configSet,
  },
  {
    path: "config unset",
    args: "<key>",
    about: "go back to the default",
    group,
    decides: true,
    load: async () => (await import("../commands/config-unset.ts")).configUnset,
  },
  {
    path: "usage",
    about: "what the agents cost",
    group,
    flags: [
      {
        flags: "--by <what>",
        about: `one line per ${USAGE_BY.join(", ")}`,
        parse: () => oneOf("--by", USAGE_BY),
        words: USAGE_BY,
      },
      { flags: "--since <time>", about: "since then: 7d, 2026-01-31", parse: (now) => timeSince("--since", now) },
    ],
    load: async () => (await import("../commands/usage.ts")).usage,
  },
];
