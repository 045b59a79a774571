import { makeAdapter } from "../transcript/adapter.ts";
import { ChatReader } from "./chat-reader.ts";

/**
 * Google Antigravity: a session as JSON, JSON lines or prose with speakers, or a brief like `AGENTS.md`, whose first
 * heading is the goal and whose bullets are progress.
 */
export const fromAntigravity = makeAdapter((opts) => new ChatReader(opts));
