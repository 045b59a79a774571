import type { EventView } from "@codehands/api";
import type { ChainedEvent } from "@codehands/sync";
import { isObject, readObject, textOf } from "./read-json.ts";

/**
 * A stored line as an event. Its place is where it stands in the proved log, not what its text says; what cannot be
 * read is told as such, so that it hides no other event.
 */
export function eventOf(sessionId: string, { seq, line }: ChainedEvent): EventView {
  const told = readObject(line);
  const payload = told?.payload;
  return {
    sessionId,
    seq,
    type: textOf(told, "type") ?? "unknown",
    at: textOf(told, "at") ?? "",
    payload: isObject(payload) ? payload : { unreadable: true },
  };
}
