import { RUNNER_EVENT_TYPES, SESSION_STATUSES } from "@codehands/contracts";
import type { CommandSpec, FlagSpec } from "./command-spec.ts";
import { daysOf, oneOf, positiveNumber, someOf, timeSince, wholeNumber } from "./parse-value.ts";

const AGENTS = ["claude-code", "codex", "sample"] as const;
const group = "Work:";

const budget: FlagSpec = {
  flags: "--budget <usd>",
  about: "stop the agent when it has cost this many US dollars",
  parse: () => positiveNumber("--budget", 100_000),
};
const timeout: FlagSpec = {
  flags: "--timeout <seconds>",
  about: "with --wait: how long another device may take to answer, then exit 8",
  parse: () => positiveNumber("--timeout", 1e7),
};
const follow: readonly FlagSpec[] = [
  { flags: "-d, --detach", about: "come back at once; the session goes on" },
  { flags: "--wait", about: "wait silently until it has ended; with --json every event is a line" },
  timeout,
];
/** For commands that may go to another device. */
const patience: readonly FlagSpec[] = [
  { flags: "--wait", about: "wait until the device has answered that the session runs on" },
  timeout,
];

/** The commands about sessions. */
export const WORK_COMMANDS: readonly CommandSpec[] = [
  {
    path: "run",
    args: "[prompt]",
    about: "start an agent on a task in a private worktree and follow it (prompt - reads stdin)",
    group,
    flags: [
      {
        flags: "--agent <kind>",
        about: `the agent: ${AGENTS.join(", ")}`,
        parse: () => oneOf("--agent", AGENTS),
        words: AGENTS,
      },
      { flags: "--model <model>", about: "the model the agent uses" },
      budget,
      { flags: "--base <ref>", about: "the branch, tag or commit to start from (default HEAD)" },
      { flags: "--name <slug>", about: "the session's title, also in its branch" },
      { flags: "--device <device>", about: "run it on another device of the account, by name or id" },
      ...follow,
    ],
    load: async () => (await import("../commands/run.ts")).run,
  },
  {
    path: "ls",
    about: "list sessions, the ones that wait for you first",
    group,
    flags: [
      {
        flags: "--status <status>",
        about: `only these: ${SESSION_STATUSES.join(", ")}`,
        parse: () => someOf("--status", SESSION_STATUSES),
        words: SESSION_STATUSES,
      },
      { flags: "--waiting", about: "only those that wait for you" },
      { flags: "--all-repos", about: "of all repositories, not only of this one" },
      { flags: "--device <device>", about: "only those of a device, by name or id" },
      {
        flags: "--since <time>",
        about: "made since then: 7d, 12h, 2026-01-31",
        parse: (now) => timeSince("--since", now),
      },
      { flags: "--search <text>", about: "with this text in title or prompt" },
      { flags: "--limit <n>", about: "at most so many (default 50)", parse: () => wholeNumber("--limit", 1, 500) },
      { flags: "--cursor <cursor>", about: "go on after an earlier page (its nextCursor)" },
    ],
    load: async () => (await import("../commands/ls.ts")).ls,
  },
  {
    path: "show",
    args: "<session>",
    about: "everything about one session on a page",
    group,
    completes: "sessions",
    load: async () => (await import("../commands/show.ts")).show,
  },
  {
    path: "logs",
    args: "<session>",
    about: "what the agent did",
    group,
    completes: "sessions",
    flags: [
      { flags: "-f, --follow", about: "go on until the session has ended" },
      { flags: "-n, --lines <n>", about: "only the newest n events", parse: () => wholeNumber("--lines", 1, 1_000) },
      {
        flags: "--since-seq <n>",
        about: "only events after this number",
        parse: () => wholeNumber("--since-seq", 0, Number.MAX_SAFE_INTEGER),
      },
      {
        flags: "--type <type>",
        about: "only events of these types, for example file.changed",
        parse: () => someOf("--type", RUNNER_EVENT_TYPES),
        words: RUNNER_EVENT_TYPES,
      },
      { flags: "--raw", about: "the agent's own lines, secrets masked, as JSON lines" },
    ],
    load: async () => (await import("../commands/logs.ts")).logs,
  },
  {
    path: "diff",
    args: "<session>",
    about: "the change to review; in a pipe a patch that git apply takes",
    group,
    completes: "sessions",
    flags: [
      { flags: "--stat", about: "only the files and how much of them changed" },
      { flags: "--name-only", about: "only the paths" },
      { flags: "--patch", about: "only the patch" },
      { flags: "--file <path>", about: "only this file" },
    ],
    load: async () => (await import("../commands/diff.ts")).diff,
  },
  {
    path: "approve",
    args: "<session>",
    about: "make the reviewed change one commit on the session's branch",
    group,
    completes: "sessions",
    decides: true,
    flags: [
      { flags: "-m, --message <text>", about: "the commit's message" },
      { flags: "--if-match <treeId>", about: "only if the change is still this tree" },
      { flags: "--allow-secrets", about: "although something looks like a secret" },
      { flags: "--allow-large", about: "although a file is very large" },
      { flags: "--allow-shrunk", about: "although most of the files are gone" },
      { flags: "--absorb-nested", about: "take the files of repositories inside the worktree along" },
      ...patience,
    ],
    load: async () => (await import("../commands/approve.ts")).approve,
  },
  {
    path: "reject",
    args: "<session>",
    about: "say no to a change; it goes to the trash",
    group,
    completes: "sessions",
    decides: true,
    flags: [{ flags: "--reason <text>", about: "why, kept with the session" }, ...patience],
    load: async () => (await import("../commands/reject.ts")).reject,
  },
  {
    path: "discard",
    args: "<session>",
    about: "give up a session that has not finished; its work goes to the trash",
    group,
    completes: "sessions",
    decides: true,
    flags: patience,
    load: async () => (await import("../commands/discard.ts")).discard,
  },
  {
    path: "stop",
    args: "[session]",
    about: "stop an agent with all its processes; the work is kept",
    group,
    completes: "sessions",
    flags: [
      { flags: "--all", about: "every session of this device that is queued or running" },
      { flags: "--now", about: "without the seconds of grace" },
      ...patience,
    ],
    load: async () => (await import("../commands/stop.ts")).stop,
  },
  {
    path: "resume",
    args: "<session> [prompt]",
    about: "let a stopped agent go on",
    group,
    completes: "sessions",
    flags: [{ ...budget, about: "the session's new total budget in US dollars" }, ...follow],
    load: async () => (await import("../commands/resume.ts")).resume,
  },
  {
    path: "wait",
    args: "<session...>",
    about: "wait until sessions have ended; the exit code says how",
    group,
    completes: "sessions",
    flags: [
      { flags: "--any", about: "until the first of them has ended" },
      {
        flags: "--timeout <seconds>",
        about: "at most so long, then exit 8",
        parse: () => positiveNumber("--timeout", 1e7),
      },
    ],
    load: async () => (await import("../commands/wait.ts")).wait,
  },
  {
    path: "clean",
    about: "move old worktrees to the trash and empty what is over its time there",
    group,
    decides: true,
    flags: [
      { flags: "--dry-run", about: "only say what would be removed" },
      {
        flags: "--stale <time>",
        about: "worktrees of sessions that ended longer ago than this (default 14d)",
        parse: () => daysOf("--stale"),
      },
      { flags: "--orphans", about: "also list worktrees that belong to no session" },
    ],
    load: async () => (await import("../commands/clean.ts")).clean,
  },
];
