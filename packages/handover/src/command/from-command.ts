import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { ADAPTERS, getAdapter } from "../adapters/registry.ts";
import { HandoverError } from "../handover-error.ts";
import { linesOf } from "../transcript/lines-of.ts";
import type { HandoverExit } from "./handover-world.ts";
import { type Command, toJson } from "./show-commands.ts";

/** `from`: makes a draft of a session of another program. `-` reads standard input. One line is held at a time. */
export const fromCommand: Command = async (world, { args, flags }): Promise<HandoverExit> => {
  const [harness, file, ...more] = args;
  const known = Object.keys(ADAPTERS).join(", ");
  if (harness === undefined)
    throw new HandoverError("usage", `from requires a <harness> and a <file>; known: ${known}`);
  const adapter = getAdapter(harness);
  if (adapter === null) throw new HandoverError("usage", `there is no adapter for "${harness}"; known: ${known}`);
  if (file === undefined) throw new HandoverError("usage", `from ${harness} requires a <file>`);
  if (more.length > 0) throw new HandoverError("usage", `from ${harness} takes one <file>`);
  const agent = flags.get("--agent") ?? world.config.agent;
  const goal = flags.get("--goal");
  const source = file === "-" ? world.stdin : createReadStream(resolve(world.cwd, file));
  try {
    const draft = await adapter.lines(linesOf(source as AsyncIterable<Uint8Array>), {
      cwd: world.cwd,
      ...(agent === null ? {} : { agent }),
      ...(goal === undefined ? {} : { goal }),
    });
    world.writeOut(toJson(draft));
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof HandoverError) throw error;
    throw new HandoverError("unreadable", `${file} cannot be read: ${(error as Error).message}`);
  }
};
