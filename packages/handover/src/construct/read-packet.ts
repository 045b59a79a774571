import { HandoverError } from "../handover-error.ts";
import { readFields } from "../json/read-fields.ts";
import { NOTE_SECTIONS, type StampedPacket } from "../packet/packet.ts";
import { validatePacket } from "../validate/validate-packet.ts";
import { defaults, type PackInput, withoutUndefined } from "./pack.ts";
import { refuseNotJson, refuseUnknown } from "./stamp-packet.ts";

export interface ReviseOptions {
  /** Goes on from a packet that was changed after it got its id. */
  allow_tampered?: boolean;
}

/** What changes from one checkpoint to the next. `created` is when; the rest stays as it is when it is not given. */
export type Patch = Partial<Omit<PackInput, "created" | "version">> & Pick<PackInput, "created">;

const PATCH_FIELDS = [
  ...["goal", "agent", "created", "context", "progress", "state", "next_steps", "open_questions", "artifacts"],
  "from_session",
];

/** A copy of a packet to go on from, with every section. Throws when it is invalid or was changed since it got its id. */
export function readPacket(packet: unknown, o: { doing: string; options: ReviseOptions }): StampedPacket {
  const { fields } = readFields(packet);
  if (fields === null) throw new HandoverError("invalid_input", `${o.doing}: the packet must be an object.`);
  const errors = validatePacket(fields).errors.filter(
    ({ code }) => code !== "ID_MISMATCH" || o.options.allow_tampered !== true,
  );
  const [first] = errors;
  if (first?.code === "ID_MISMATCH" && errors.length === 1)
    throw new HandoverError(
      "id_mismatch",
      `${o.doing}: the packet was changed after it got its id. Ask for it again where it came from.`,
      errors,
    );
  if (first !== undefined)
    throw new HandoverError(
      "invalid_packet",
      `${o.doing}: the packet is not valid: ${first.path} ${first.message}${errors.length > 1 ? `; and ${errors.length - 1} more` : ""}.`,
      errors,
    );
  return { id: "", ...defaults(), ...fields } as StampedPacket;
}

/** A copy of a patch without what is not given. Throws for fields and forms that a patch does not have. */
export function readPatch<T>(patch: T, o: { doing: string; more?: readonly string[] }): T {
  const { fields, problems } = readFields(withoutUndefined(patch));
  if (fields === null) throw new HandoverError("invalid_input", `${o.doing}: the patch must be an object.`);
  refuseNotJson(problems, o.doing);
  const more = o.more ?? [];
  refuseUnknown(fields, [...PATCH_FIELDS, ...more], o.doing);
  for (const section of [...NOTE_SECTIONS, "artifacts", ...more]) {
    if (fields[section] !== undefined && !Array.isArray(fields[section]))
      throw new HandoverError("invalid_input", `${o.doing}: ${section} of the patch must be an array.`);
  }
  const state = fields["state"];
  if (state !== undefined && (typeof state !== "object" || state === null || Array.isArray(state)))
    throw new HandoverError("invalid_input", `${o.doing}: state of the patch must be an object.`);
  return fields as T;
}
