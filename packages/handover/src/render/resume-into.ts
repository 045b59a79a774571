import { readSections } from "../assess/read-sections.ts";
import { HandoverError } from "../handover-error.ts";
import { resume } from "./resume.ts";

/** The shapes in which an agent takes its opening context. */
export const RESUME_SHAPES = Object.freeze(["system-prompt", "user-turn", "mcp-resource"] as const);
export type ResumeShape = (typeof RESUME_SHAPES)[number];

export interface McpResource {
  /** `handover://packet/<id>`; `draft` in the place of an id that is not there. */
  uri: string;
  mimeType: "text/markdown";
  text: string;
}

export function resumeInto(packet: unknown, shape: "mcp-resource"): McpResource;
export function resumeInto(packet: unknown, shape: "system-prompt" | "user-turn"): string;
export function resumeInto(packet: unknown, shape: ResumeShape): string | McpResource;
/** The briefing in the shape that an agent takes: a system prompt, a first user turn, or a resource. Throws for others. */
export function resumeInto(packet: unknown, shape: ResumeShape): string | McpResource {
  switch (shape) {
    case "system-prompt":
    case "user-turn":
      return resume(packet);
    case "mcp-resource": {
      const id = readSections(packet).id;
      // An id of another form could name another resource.
      const name = id !== null && /^[0-9a-f]{64}$/.test(id) ? id : "draft";
      return { uri: `handover://packet/${name}`, mimeType: "text/markdown", text: resume(packet) };
    }
    default:
      throw new HandoverError(
        "unknown_shape",
        `There is no shape "${String(shape)}": use ${RESUME_SHAPES.join(", ")}.`,
      );
  }
}
