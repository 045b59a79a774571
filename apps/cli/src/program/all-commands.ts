import { ACCOUNT_COMMANDS } from "./account-commands.ts";
import type { CommandSpec, FlagSpec } from "./command-spec.ts";
import { DEVICE_COMMANDS } from "./device-commands.ts";
import { PACKET_COMMANDS } from "./packet-commands.ts";
import { wholeNumber } from "./parse-value.ts";
import { WORK_COMMANDS } from "./work-commands.ts";

const group = "More:";
export const HELP_TOPICS = ["exit-codes", "environment", "security"] as const;
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** Where a cloud has its data, said alike by whoever starts it and by whoever sets a password in it. */
const DATABASE: readonly FlagSpec[] = [
  { flags: "--database-url <url>", about: "a PostgreSQL that runs already" },
  { flags: "--data-dir <dir>", about: "where its own PostgreSQL keeps its files" },
];

/** Every command there is. Help, completion and hints are made from this list. */
export const ALL_COMMANDS: readonly CommandSpec[] = [
  ...WORK_COMMANDS,
  ...DEVICE_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...PACKET_COMMANDS,
  {
    path: "serve",
    args: "[key]",
    about: "run the sealed cloud here; without --database-url on a PostgreSQL of its own",
    group: "Server:",
    flags: [
      { flags: "--port <port>", about: "default 8787", parse: () => wholeNumber("--port", 0, 65_535) },
      { flags: "--host <host>", about: "address to listen on; default 127.0.0.1" },
      { flags: "--tls <cert>", about: "serve https: --tls CERT KEY" },
      ...DATABASE,
      { flags: "--restored", about: "the database was put back to a backup" },
    ],
    load: async () => (await import("../commands/serve.ts")).serve,
  },
  {
    path: "serve password",
    args: "<email>",
    about: "on the cloud's machine: a new password for a person who forgot it, whether the cloud runs or not",
    group: "Server:",
    decides: true,
    flags: [...DATABASE, { flags: "--password-stdin", about: "the new password is a line of stdin, nothing is asked" }],
    load: async () => (await import("../commands/serve-password.ts")).servePassword,
  },
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
