import { makeAdapter } from "../transcript/adapter.ts";
import { ChatReader } from "./chat-reader.ts";

/** Cursor: an exported chat as JSON, JSON lines or prose with speakers, or a scratchpad without them. */
export const fromCursor = makeAdapter((opts) => new ChatReader(opts));
