import type { SentCommand } from "@codehands/api";
import { stripToLine } from "../terminal/strip-controls.ts";
import { age, ago } from "./times.ts";

/** A device that was heard of within this time is not called away, milliseconds. */
const PRESENT_MS = 120_000;

type Sent = Pick<SentCommand, "device" | "lastHeardAt">;

/** How a command that was sent to another device stands: `queued: laptop is away, last heard 2 h ago`. */
export function sentWords(command: Sent & Pick<SentCommand, "state" | "reason">, nowMs: number): string {
  const name = deviceName(command);
  const why = command.reason === null ? "" : `: ${stripToLine(command.reason)}`;
  switch (command.state) {
    case "queued":
      return `queued: ${presence(command, nowMs)}`;
    case "delivered":
      return `delivered: ${name} is at it`;
    case "done":
      return `done on ${name}`;
    case "refused":
      return `refused by ${name}${why}`;
    case "expired":
      return `expired: ${name} did not come back within 24 hours, nothing was done`;
    case "in_doubt":
      return `in doubt: it may or may not have run on ${name}, look at the session`;
    default:
      return `withdrawn before ${name} began`;
  }
}

function presence(command: Sent, nowMs: number): string {
  const { lastHeardAt } = command;
  const name = deviceName(command);
  if (lastHeardAt === null) return `${name} has not been heard of yet`;
  if (nowMs - Date.parse(lastHeardAt) < PRESENT_MS) return `${name} has not answered yet`;
  return `${name} is away, last heard ${ago(nowMs, lastHeardAt)}`;
}

function deviceName({ device }: Sent): string {
  return stripToLine(device.name) || device.id.slice(0, 8);
}

/** One line of a list: name of the command, what it is, how it stands, and how long ago it was sent. */
export function renderSent(command: SentCommand, nowMs: number): string {
  const about = command.sessionId === null ? "" : ` ${command.sessionId.slice(0, 8)}`;
  return `${shortCommand(command.commandId)}  ${stripToLine(command.kind)}${about}   ${sentWords(command, nowMs)}   (${sentAge(command, nowMs)})`;
}

/** The part of a command's id that a person types: its random end, since the beginnings are times. */
export function shortCommand(commandId: string): string {
  return commandId.slice(-8);
}

// The id is a UUIDv7: it begins with the time in milliseconds.
function sentAge({ commandId }: SentCommand, nowMs: number): string {
  const ms = Number.parseInt(commandId.replaceAll("-", "").slice(0, 12), 16);
  const words = Number.isNaN(ms) ? "now" : age(nowMs, new Date(ms).toISOString());
  return words === "now" ? "just now" : `${words} ago`;
}
