/** A file that was made or touched. `path` is relative to the repository, with slashes. */
export interface Artifact {
  path: string;
  /** Sha256 of the file's bytes, 64 lowercase hex digits. */
  hash?: string;
  note?: string;
}

/** Who handed off, when, and out of which session. */
export interface Provenance {
  handed_off_by: string;
  /** `YYYY-MM-DDTHH:MM:SS[.fraction]Z`. Kept as written: another form of the same time is another id. */
  created: string;
  from_session?: string;
}

/** The live working state: free JSON, of which one key has a meaning. */
export interface PacketState {
  /** The files to open first. */
  key_files?: string[];
  [key: string]: unknown;
}

/** A handover packet as it may be found: the goal and the provenance, the rest when it is there. */
export interface Packet {
  /** Sha256 of the canonical text of everything else. */
  id?: string;
  /** The number of the checkpoint, from 1. */
  version?: number;
  goal: string;
  context?: string;
  progress?: string[];
  state?: PacketState;
  next_steps?: string[];
  open_questions?: string[];
  artifacts?: Artifact[];
  provenance: Provenance;
}

/** A packet as this package makes it: every section is there, and the id is that of its content. */
export type StampedPacket = Required<Packet>;

/** What an adapter found out of a foreign session: everything `pack` needs but the time, and the agent if it is not known. */
export interface Draft {
  goal: string;
  context: string;
  progress: string[];
  state: PacketState;
  next_steps: string[];
  open_questions: string[];
  artifacts: Artifact[];
  agent?: string;
  from_session?: string;
}

/** The fields of a packet, in the order in which they are written. */
export const PACKET_FIELDS = Object.freeze([
  "id",
  "version",
  "goal",
  "context",
  "progress",
  "state",
  "next_steps",
  "open_questions",
  "artifacts",
  "provenance",
] as const);

/** The seven sections that completeness looks for. */
export const REQUIRED_SECTIONS = Object.freeze([
  "goal",
  "context",
  "progress",
  "state",
  "next_steps",
  "open_questions",
  "artifacts",
] as const);
export type Section = (typeof REQUIRED_SECTIONS)[number];

/** The sections that are lists of notes. */
export const NOTE_SECTIONS = Object.freeze(["progress", "next_steps", "open_questions"] as const);

export const ARTIFACT_FIELDS: readonly string[] = Object.freeze(["path", "hash", "note"]);
export const PROVENANCE_FIELDS: readonly string[] = Object.freeze(["handed_off_by", "created", "from_session"]);

/** How deep a packet may nest, itself counted as 1. Readers in other languages and our own stack stand this. */
export const MOST_DEPTH = 256;
/** The canonical text of a packet that is made may have this many bytes. */
export const MOST_BYTES = 1024 * 1024;
/** From this many bytes on a packet is a burden for the agent that reads it. */
export const MANY_BYTES = 64 * 1024;
