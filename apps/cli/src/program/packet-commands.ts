import type { CommandSpec, FlagSpec } from "./command-spec.ts";

const group = "Packets:";
/** The sessions that a packet can be made of. */
export const HARNESSES = ["claude-code", "codex", "cursor", "antigravity", "codehands"] as const;

const agent: FlagSpec = { flags: "--agent <id>", about: "who hands off; default HANDOVER_AGENT" };
const goal: FlagSpec = {
  flags: "--goal <task>",
  about: "the task, where the input does not say it or says it wrongly",
};

const load =
  (...words: readonly string[]): CommandSpec["load"] =>
  async () =>
    (await import("../commands/packet.ts")).packet(...words);

/** The commands for handover packets: what one agent knows of a task, for the next one. */
export const PACKET_COMMANDS: readonly CommandSpec[] = [
  {
    path: "packet pack",
    about: "make a packet from a JSON object on standard input",
    group,
    flags: [
      { flags: "--file <in.json>", about: "read the object from a file" },
      agent,
      goal,
      { flags: "--out <path>", about: "where to write; default HANDOVER_PACKET, else .handover/packet.json" },
    ],
    load: load("pack"),
  },
  { path: "packet show", args: "<file>", about: "a packet in one line", group, load: load("show") },
  {
    path: "packet validate",
    args: "<file>",
    about: "check a packet; exit code 1 when it is not valid",
    group,
    load: load("validate"),
  },
  {
    path: "packet completeness",
    args: "<file>",
    about: "how much of a handoff is there, and what is missing",
    group,
    load: load("completeness"),
  },
  { path: "packet resume", args: "<file>", about: "the briefing for a fresh agent", group, load: load("resume") },
  {
    path: "packet diff",
    args: "<a> <b>",
    about: "what the second packet has over the first",
    group,
    load: load("diff"),
  },
  {
    path: "packet from",
    args: "<harness> <file>",
    about: `a draft of a session of ${HARNESSES.join(", ")}`,
    group,
    completes: HARNESSES,
    flags: [agent, goal],
    load: load("from"),
  },
  ...HARNESSES.map((harness) => ({
    path: `packet from-${harness}`,
    args: "<file>",
    about: `a draft of a session of ${harness}`,
    group,
    flags: [agent, goal],
    load: load(`from-${harness}`),
  })),
];
