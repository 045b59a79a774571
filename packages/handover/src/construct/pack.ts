import { HandoverError } from "../handover-error.ts";
import { computeId } from "../hash/compute-id.ts";
import { isPlainObject } from "../json/plain-object.ts";
import { readFields } from "../json/read-fields.ts";
import { type Artifact, PACKET_FIELDS, type PacketState, type StampedPacket } from "../packet/packet.ts";
import { type PacketBody, refuseNotJson, refuseUnknown, stampPacket } from "./stamp-packet.ts";

export interface PackInput {
  goal: string;
  /** Who hands off: `claude-opus-4-8/claude-code`. No e-mail address, no path of a machine. */
  agent: string;
  /** When, in UTC: `2026-07-11T12:00:00Z`. There is no clock inside. */
  created: string;
  context?: string;
  progress?: string[];
  state?: PacketState;
  next_steps?: string[];
  open_questions?: string[];
  artifacts?: Artifact[];
  from_session?: string;
  /** Default 1. */
  version?: number;
}

const KNOWN = [
  ...["goal", "agent", "created", "context", "progress", "state", "next_steps", "open_questions", "artifacts"],
  ...["from_session", "version", "id", "provenance"],
];

/**
 * Makes a packet: every section gets its default, the id is that of the content. The input is copied, never changed. It
 * throws a HandoverError that names what is wrong. A whole packet may be given as well: its provenance counts where
 * `agent`, `created` and `from_session` are not given, and one that was changed since it got its id is refused.
 */
export function pack(input: PackInput): StampedPacket {
  const doing = "The packet was not made";
  const { fields, problems } = readFields(withoutUndefined(input));
  if (fields === null) throw new HandoverError("invalid_input", `${doing}: the input must be an object.`);
  refuseNotJson(problems, doing);
  refuseUnknown(fields, KNOWN, doing);
  refuseChanged(fields, doing);
  return stampPacket({ ...defaults(), ...sectionsOf(fields), provenance: provenanceOf(fields) } as PacketBody, doing);
}

/** Throws for a packet, given as input, that was changed after it got its id. Its other fields do not count. */
export function refuseChanged(fields: Readonly<Record<string, unknown>>, doing: string): void {
  if (fields["id"] === undefined) return;
  const packet = Object.fromEntries(
    Object.entries(fields).filter(([key]) => PACKET_FIELDS.some((field) => field === key)),
  );
  if (fields["id"] === computeId(packet)) return;
  throw new HandoverError(
    "id_mismatch",
    `${doing}: the input was changed after it got its id. Take the id out if the change is yours.`,
  );
}

/** What each section is when nothing is said. */
export function defaults(): Omit<PacketBody, "goal" | "provenance"> {
  return { version: 1, context: "", progress: [], state: {}, next_steps: [], open_questions: [], artifacts: [] };
}

/** The same record without the keys that hold nothing: `{context: undefined}` says the same as `{}`. */
export function withoutUndefined(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

function sectionsOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const {
    id: _id,
    agent: _agent,
    created: _created,
    from_session: _session,
    provenance: _provenance,
    ...rest
  } = fields;
  return rest;
}

function provenanceOf(fields: Readonly<Record<string, unknown>>): unknown {
  const { agent, created, from_session: session, provenance } = fields;
  if (provenance !== undefined && !isPlainObject(provenance)) return provenance;
  const own = [
    ["handed_off_by", agent],
    ["created", created],
    ["from_session", session],
  ].filter(([, value]) => value !== undefined);
  return { ...provenance, ...(Object.fromEntries(own) as object) };
}
