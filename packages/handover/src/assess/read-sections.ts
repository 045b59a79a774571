import { isPlainObject } from "../json/plain-object.ts";
import { readFields } from "../json/read-fields.ts";
import type { Artifact, PacketState, Provenance } from "../packet/packet.ts";

/** The sections of whatever was given, with nothing in the place of what is missing or of the wrong form. */
export interface Sections {
  id: string | null;
  version: number | null;
  goal: string;
  context: string;
  progress: string[];
  state: PacketState;
  next_steps: string[];
  open_questions: string[];
  /** One for each path, the last one. */
  artifacts: Artifact[];
  provenance: Partial<Provenance>;
  /** Paths of what could not be read. */
  unread: string[];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const notes = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string" && item.trim() !== "") : [];

/** Reads a packet for those that must do with anything. It never throws. */
export function readSections(packet: unknown): Sections {
  const { fields, problems, cut } = readFields(packet);
  const own = Object.fromEntries(Object.entries(fields ?? {}).filter(([field]) => !cut.has(field)));
  const provenance = isPlainObject(own["provenance"]) ? own["provenance"] : {};
  return {
    id: typeof own["id"] === "string" ? own["id"] : null,
    version: typeof own["version"] === "number" ? own["version"] : null,
    goal: text(own["goal"]),
    context: text(own["context"]),
    progress: notes(own["progress"]),
    state: isPlainObject(own["state"]) ? own["state"] : {},
    next_steps: notes(own["next_steps"]),
    open_questions: notes(own["open_questions"]),
    artifacts: artifactsOf(own["artifacts"]),
    provenance: Object.fromEntries(
      Object.entries(provenance).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    ),
    unread: problems.map(({ path }) => path),
  };
}

/** The files to open first. */
export function keyFilesOf(state: PacketState): string[] {
  return notes(state.key_files);
}

function artifactsOf(value: unknown): Artifact[] {
  if (!Array.isArray(value)) return [];
  const byPath = new Map<string, Artifact>();
  for (const item of value) {
    if (!isPlainObject(item) || text(item["path"]).trim() === "") continue;
    const artifact: Artifact = { path: text(item["path"]) };
    if (typeof item["hash"] === "string") artifact.hash = item["hash"];
    if (typeof item["note"] === "string") artifact.note = item["note"];
    byPath.set(artifact.path, artifact);
  }
  return [...byPath.values()];
}
