import { HandoverError } from "../handover-error.ts";
import { canonicalize } from "../hash/canonicalize.ts";
import { computeHash } from "../hash/compute-hash.ts";
import { eachString } from "../json/each-string.ts";
import type { NotJson } from "../json/read-plain.ts";
import type { ValidationError } from "../packet/error-codes.ts";
import { MOST_BYTES, PACKET_FIELDS, type StampedPacket } from "../packet/packet.ts";
import { checkFields } from "../validate/check-fields.ts";
import { Violations } from "../validate/violations.ts";

/** As the inputs of `pack` and `revise` name what the packet holds elsewhere. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  "provenance.handed_off_by": "agent",
  "provenance.created": "created",
  "provenance.from_session": "from_session",
};

/** The sections of a packet that is made, without its id. */
export type PacketBody = Omit<StampedPacket, "id">;

/**
 * Checks what was put together of plain data and gives it its id. Throws for an invalid packet, for half a character (a lone surrogate,
 * which no UTF-8 file can hold) and for more than 1 MiB of text. `doing` begins the message.
 */
export function stampPacket(body: PacketBody, doing: string): StampedPacket {
  const sections = PACKET_FIELDS.flatMap((field) => {
    const value = field === "id" ? undefined : body[field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const ordered: Record<string, unknown> = Object.fromEntries(sections);
  const violations = new Violations();
  checkFields(ordered, violations);
  refuse(violations.errors, doing);
  const text = canonicalize(ordered);
  // JSON writes such a half as an escape; the text is looked at once, its parts when there is reason to.
  if (text.includes("\\ud")) refuse(loneSurrogates(ordered), doing);
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > MOST_BYTES)
    throw new HandoverError(
      "too_large",
      `${doing}: the packet would have ${bytes} bytes; at most ${MOST_BYTES} fit. Shorten it, and name files in artifacts in the place of their content.`,
    );
  return { id: computeHash(text), ...(ordered as unknown as PacketBody) };
}

function refuse(errors: readonly ValidationError[], doing: string): void {
  if (errors.length === 0) return;
  const named = errors.slice(0, 5).map(({ path, message }) => `${INPUT_NAMES[path] ?? path} ${message}`);
  const more = errors.length > 5 ? `; and ${errors.length - 5} more` : "";
  throw new HandoverError("invalid_input", `${doing}: ${named.join("; ")}${more}.`, errors);
}

/** Throws when a part of the input is not JSON. */
export function refuseNotJson(problems: readonly NotJson[], doing: string): void {
  const errors = problems.map(({ path, says }) => ({
    path,
    code: "NOT_JSON" as const,
    message: `is not JSON: ${says}`,
  }));
  refuse(errors, doing);
}

/** Throws for fields that an input does not have: a misspelt section would be lost without a word. */
export function refuseUnknown(input: object, known: readonly string[], doing: string): void {
  const unknown = Object.keys(input).filter((key) => !known.includes(key));
  refuse(
    unknown.map((path) => ({ path, code: "UNKNOWN_FIELD", message: "is not a field that it takes" })),
    doing,
  );
}

function loneSurrogates(packet: object): ValidationError[] {
  const errors: ValidationError[] = [];
  eachString(packet, "", (text, path) => {
    if (/\p{Surrogate}/u.test(text))
      errors.push({ path, code: "NOT_JSON", message: "holds half a character (a lone surrogate)" });
  });
  return errors;
}
