import type { CommandSpec } from "./command-spec.ts";
import { DEVICE_COMMANDS } from "./device-commands.ts";
import { WORK_COMMANDS } from "./work-commands.ts";

const group = "More:";
export const HELP_TOPICS = ["exit-codes", "environment", "security"] as const;
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Every command there is. Help, completion and hints are made from this list. */
export const ALL_COMMANDS: readonly CommandSpec[] = [
  ...WORK_COMMANDS,
  ...DEVICE_COMMANDS,
  {
    path: "completion",
    args: "<shell>",
    about: `a completion script for ${SHELLS.join(", ")}`,
    group,
    completes: SHELLS,
    load: async () => (await import("../commands/completion.ts")).completion,
  },
  {
    path: "version",
    about: "the version of this command",
    group,
    load: async () => (await import("../commands/version.ts")).version,
  },
  {
    path: "help",
    args: "[topic...]",
    about: `help for a command, or about ${HELP_TOPICS.join(", ")}`,
    group,
    completes: HELP_TOPICS,
    load: async () => (await import("../commands/help.ts")).help,
  },
];

/** True for a command that exists, by its one or two words. */
export function isCommand(path: string): boolean {
  return ALL_COMMANDS.some((spec) => spec.path === path);
}
