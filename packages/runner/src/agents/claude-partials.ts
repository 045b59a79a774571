import { field, type JsonObject, numberField, stringField } from "./field.ts";

/** Bounds that no honest run comes near. */
const MOST_LANES = 64;
const MOST_BLOCKS = 256;
const LONGEST = 8 * 1024 * 1024;

interface Block {
  type: string;
  id?: string | undefined;
  name?: string | undefined;
  text: string;
}

interface Lane {
  messageId: string;
  blocks: Map<number, Block>;
  /** Texts and call ids of this message that came as whole lines. */
  whole: Set<string>;
}

/** A block that came in pieces only, as a whole one. */
export interface Assembled {
  messageId: string;
  block: JsonObject;
}

/**
 * Puts `stream_event` pieces together. The same blocks come as whole lines too, so only what never came whole is
 * handed out: each text once, none lost. There is one lane for the main conversation and one for each helper.
 */
export class ClaudePartials {
  readonly #lanes = new Map<string, Lane>();

  /** A stream_event line. Hands out what the message before left behind. */
  piece(line: JsonObject): Assembled[] {
    const lane = laneOf(line);
    const event = field(line, "event");
    const type = stringField(event, "type");
    if (type === "message_start") {
      const left = this.flush(lane);
      const messageId = stringField(event, "message", "id") ?? "";
      // A lane that is put in again becomes the newest; the oldest makes room.
      this.#lanes.delete(lane);
      const [oldest = ""] = this.#lanes.size < MOST_LANES ? [] : this.#lanes.keys();
      if (this.#lanes.size >= MOST_LANES) this.#lanes.delete(oldest);
      this.#lanes.set(lane, { messageId, blocks: new Map(), whole: new Set() });
      return left;
    }
    const open = this.#lanes.get(lane);
    const index = numberField(event, "index");
    if (open === undefined || index === undefined) return [];
    if (type === "content_block_start" && open.blocks.size < MOST_BLOCKS) {
      const start = field(event, "content_block");
      open.blocks.set(index, {
        type: stringField(start, "type") ?? "",
        id: stringField(start, "id"),
        name: stringField(start, "name"),
        text: stringField(start, "text") ?? "",
      });
    } else if (type === "content_block_delta") {
      const block = open.blocks.get(index);
      const delta = field(event, "delta");
      if (block !== undefined && block.text.length < LONGEST)
        block.text += stringField(delta, "text") ?? stringField(delta, "partial_json") ?? "";
    }
    return [];
  }

  /** True when a block that came as a whole line was handed out from its pieces before. */
  sawWhole(line: JsonObject, messageId: string, block: JsonObject): boolean {
    const lane = this.#lanes.get(laneOf(line));
    if (lane === undefined || lane.messageId !== messageId) return false;
    const key = stringField(block, "type") === "text" ? stringField(block, "text") : stringField(block, "id");
    if (key === undefined) return false;
    if (lane.whole.has(`told ${key}`)) return true;
    if (lane.whole.size < MOST_BLOCKS) lane.whole.add(key);
    return false;
  }

  /** Hands out the blocks of a lane that never came whole. */
  flush(lane: string): Assembled[] {
    const open = this.#lanes.get(lane);
    if (open === undefined) return [];
    const left: Assembled[] = [];
    for (const { type, id, name, text } of open.blocks.values()) {
      const key = type === "text" ? text : id;
      if (key === undefined || key === "" || open.whole.has(key)) continue;
      open.whole.add(`told ${key}`);
      if (type === "text") left.push({ messageId: open.messageId, block: { type, text } });
      else if (type === "tool_use")
        left.push({ messageId: open.messageId, block: { type, id, name, input: parsed(text) } });
    }
    open.blocks.clear();
    return left;
  }

  /** Hands out what every lane left behind. */
  flushAll(): (Assembled & { lane: string })[] {
    return [...this.#lanes.keys()].flatMap((lane) => this.flush(lane).map((left) => ({ ...left, lane })));
  }
}

/** The id of the helper's call that a line belongs to; empty for the main conversation. */
export const laneOf = (line: JsonObject): string => stringField(line, "parent_tool_use_id") ?? "";

function parsed(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch {
    return {};
  }
}
