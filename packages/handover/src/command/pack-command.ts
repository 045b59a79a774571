import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { summarize } from "../assess/summarize.ts";
import { type PackInput, pack, refuseChanged } from "../construct/pack.ts";
import { HandoverError } from "../handover-error.ts";
import { parseStrict } from "../json/parse-strict.ts";
import { isPlainObject } from "../json/plain-object.ts";
import { defaultPacketPath, savePacket } from "../store/packet-file.ts";
import type { HandoverExit, HandoverWorld } from "./handover-world.ts";
import { type Command, inLine, toJson } from "./show-commands.ts";

/** No input of a packet is larger; a pipe without an end must not fill the memory. */
const MOST_INPUT = 64 * 1024 * 1024;

/** `pack`: reads an object from `--file` or standard input, stamps it and writes the packet. */
export const packCommand: Command = async (world, { args, flags, json }): Promise<HandoverExit> => {
  if (args.length > 0) throw new HandoverError("usage", `pack takes no argument: use --file ${args[0]}`);
  const given = readInput(await inputText(world, flags.get("--file")));
  // What the flags change afterwards is the caller's own change.
  refuseChanged(given, "The packet was not made");
  const provenance = isPlainObject(given["provenance"]) ? given["provenance"] : {};
  const packet = pack({
    ...given,
    ...(flags.has("--goal") ? { goal: flags.get("--goal") } : {}),
    agent: flags.get("--agent") ?? given["agent"] ?? world.config.agent ?? provenance["handed_off_by"],
    created: given["created"] ?? new Date(world.now()).toISOString().replace(/\.\d+Z$/, "Z"),
    id: undefined,
  } as unknown as PackInput);
  const path = resolve(world.cwd, flags.get("--out") ?? defaultPacketPath(world.cwd, world.config));
  savePacket(path, packet);
  world.writeOut(json ? toJson(packet) : `packed ${packet.id.slice(0, 12)} to ${path}\n${inLine(summarize(packet))}\n`);
  return 0;
};

async function inputText(world: HandoverWorld, file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") {
    try {
      return readFileSync(resolve(world.cwd, file), "utf8");
    } catch (error) {
      throw new HandoverError("unreadable", `${file} cannot be read: ${(error as Error).message}`);
    }
  }
  // A person at a terminal is not asked: the flags say everything then.
  if (world.stdin.isTTY === true) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of world.stdin as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > MOST_INPUT)
      throw new HandoverError("too_large", "the input is larger than any packet: nothing was packed");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readInput(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const parsed = parseStrict(text);
  if (!parsed.ok) throw new HandoverError("not_json", `the input is not valid JSON: ${parsed.reason}`);
  if (!isPlainObject(parsed.value)) throw new HandoverError("invalid_input", "the input must be a JSON object");
  return parsed.value;
}
