import { resolve } from "node:path";
import { completeness } from "../assess/completeness.ts";
import { diffPackets, type PacketDiff } from "../assess/diff-packets.ts";
import { summarize } from "../assess/summarize.ts";
import { HandoverError } from "../handover-error.ts";
import { MANY_BYTES, type Packet } from "../packet/packet.ts";
import { resume } from "../render/resume.ts";
import { resumeInto } from "../render/resume-into.ts";
import { loadPacket } from "../store/packet-file.ts";
import { validatePacket } from "../validate/validate-packet.ts";
import type { HandoverExit, HandoverWorld } from "./handover-world.ts";
import type { ParsedWords } from "./parse-words.ts";

export type Command = (world: HandoverWorld, words: ParsedWords) => HandoverExit | Promise<HandoverExit>;

/** A value as the command prints it. */
export const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A text of a packet in a line of a terminal, which must not take orders from it. */
export function inLine(text: string): string {
  const plain = text.slice(0, MANY_BYTES).replace(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
  return plain.trim();
}

/** `show`: one line, or the packet itself. */
export const show: Command = (world, { args, json }) => {
  const packet = load(world, one(args, "show"));
  world.writeOut(json ? toJson(packet) : `${inLine(summarize(packet))}\n`);
  return 0;
};

/** `validate`: every violation with its path and code. */
export const validate: Command = (world, { args, json }) => {
  const path = one(args, "validate");
  const result = validatePacket(loadPacket(resolve(world.cwd, path)));
  const { valid, errors } = result;
  if (json) world.writeOut(toJson(result));
  else if (valid) world.writeOut(`valid: ${path}\n`);
  else {
    const lines = errors.map((error) => `  ${inLine(error.path) || "(packet)"}  ${error.code}  ${error.message}\n`);
    world.writeOut(
      `invalid: ${path} has ${errors.length} ${errors.length === 1 ? "error" : "errors"}\n${lines.join("")}`,
    );
  }
  return valid ? 0 : 1;
};

/** `completeness`: the score, and what would strand a resumer. */
export const rate: Command = (world, { args, json }) => {
  const report = completeness(load(world, one(args, "completeness")));
  const { score, total, present, missing, warnings } = report;
  const lines = [
    `completeness ${score.toFixed(2)} (${present.length} of ${total} sections)`,
    `present: ${present.join(", ") || "none"}`,
    `missing: ${missing.join(", ") || "none"}`,
    ...warnings.map((warning) => `warning: ${inLine(warning)}`),
  ];
  world.writeOut(json ? toJson(report) : `${lines.join("\n")}\n`);
  return 0;
};

/** `resume`: the briefing; with `--json` as a resource. */
export const brief: Command = (world, { args, json }) => {
  const packet = load(world, one(args, "resume"));
  world.writeOut(json ? toJson(resumeInto(packet, "mcp-resource")) : resume(packet));
  return 0;
};

/** `diff`: what the second packet has over the first. */
export const compare: Command = (world, { args, json }) => {
  const [before, after, ...more] = args;
  if (before === undefined || after === undefined || more.length > 0)
    throw new HandoverError("usage", "diff requires two <file> arguments: diff <a> <b>");
  const diff = diffPackets(load(world, before), load(world, after));
  world.writeOut(json ? toJson(diff) : `${diffLines(diff).join("\n")}\n`);
  return 0;
};

function diffLines(diff: PacketDiff): string[] {
  const { version_delta: delta } = diff;
  const lists = [
    ["progress +", diff.progress_added],
    ["progress -", diff.progress_removed],
    ["next step +", diff.next_steps_added],
    ["next step -", diff.next_steps_removed],
    ["question opened", diff.questions_opened],
    ["question closed", diff.questions_closed],
    ["artifact +", diff.artifacts_added],
    ["artifact -", diff.artifacts_removed],
    ["state changed", diff.state_keys_changed],
  ] as const;
  const lines = [
    ...(delta === 0 ? [] : [`version ${delta > 0 ? "+" : ""}${delta}`]),
    ...(diff.goal_changed ? ["goal changed"] : []),
    ...lists.flatMap(([name, items]) => items.map((item) => `${name} ${inLine(item)}`)),
  ];
  return lines.length === 0 ? ["no changes"] : lines;
}

/** The one file that a command asks for. */
export function one(args: readonly string[], command: string): string {
  const [file, ...more] = args;
  if (file === undefined) throw new HandoverError("usage", `${command} requires a <file>`);
  if (more.length > 0) throw new HandoverError("usage", `${command} takes one <file>, not ${args.length}`);
  return file;
}

/** Loads a packet to look at. One that is not valid is shown all the same, and it is said so. */
function load(world: HandoverWorld, path: string): Packet {
  const packet = loadPacket(resolve(world.cwd, path));
  const { errors } = validatePacket(packet);
  const [first] = errors;
  if (first !== undefined) {
    const more = errors.length > 1 ? `, and ${errors.length - 1} more` : "";
    world.writeError(`warning: ${path} is not a valid packet: ${inLine(first.path) || "it"} ${first.message}${more}\n`);
  }
  return packet;
}
