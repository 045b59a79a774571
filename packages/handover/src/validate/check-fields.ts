import { isPlainObject } from "../json/plain-object.ts";
import { ARTIFACT_FIELDS, NOTE_SECTIONS, PACKET_FIELDS, PROVENANCE_FIELDS } from "../packet/packet.ts";
import { isIso8601Utc } from "./is-iso8601-utc.ts";
import { isSha256Hex } from "./is-sha256-hex.ts";
import type { Violations } from "./violations.ts";

const INTO_PREFIX = (path: string): string => (path === "" ? "" : `${path}.`);

/** The form of one artifact, below `path`. The value is plain data. */
export function checkArtifact(value: unknown, path: string, violations: Violations): void {
  if (!isPlainObject(value)) return violations.add(path, "NOT_OBJECT", "must be an object with a path");
  const prefix = INTO_PREFIX(path);
  if (!Object.hasOwn(value, "path")) violations.missing(`${prefix}path`);
  else violations.filled(value["path"], `${prefix}path`);
  if (Object.hasOwn(value, "hash") && !isSha256Hex(value["hash"]))
    violations.add(`${prefix}hash`, "INVALID_SHA256", "must be 64 lowercase hex digits");
  if (Object.hasOwn(value, "note")) violations.text(value["note"], `${prefix}note`);
  violations.known(value, ARTIFACT_FIELDS, path);
}

function checkProvenance(value: unknown, violations: Violations): void {
  if (!isPlainObject(value)) return violations.add("provenance", "WRONG_TYPE", "must be an object");
  if (!Object.hasOwn(value, "handed_off_by")) violations.missing("provenance.handed_off_by");
  else violations.filled(value["handed_off_by"], "provenance.handed_off_by");
  if (!Object.hasOwn(value, "created")) violations.missing("provenance.created");
  else if (!isIso8601Utc(value["created"]))
    violations.add("provenance.created", "INVALID_ISO8601", "must be a UTC time like 2026-07-11T12:00:00Z");
  if (Object.hasOwn(value, "from_session")) violations.text(value["from_session"], "provenance.from_session");
  violations.known(value, PROVENANCE_FIELDS, "provenance");
}

function checkState(value: unknown, violations: Violations): void {
  if (!isPlainObject(value)) violations.add("state", "WRONG_TYPE", "must be an object");
  else if (Object.hasOwn(value, "key_files")) violations.texts(value["key_files"], "state.key_files");
}

/** The form of a whole packet, field by field. The value is plain data; its id is compared elsewhere. */
export function checkFields(packet: Readonly<Record<string, unknown>>, violations: Violations): void {
  const has = (field: string): boolean => Object.hasOwn(packet, field);
  if (has("id") && !isSha256Hex(packet["id"]))
    violations.add("id", "INVALID_SHA256", "must be 64 lowercase hex digits");
  const version = packet["version"];
  if (has("version") && !(Number.isInteger(version) && (version as number) >= 1))
    violations.add("version", "INVALID_INTEGER", "must be a whole number from 1");
  if (!has("goal")) violations.missing("goal");
  else violations.filled(packet["goal"], "goal");
  if (has("context")) violations.text(packet["context"], "context");
  for (const section of NOTE_SECTIONS) if (has(section)) violations.texts(packet[section], section);
  if (has("state")) checkState(packet["state"], violations);
  const artifacts = packet["artifacts"];
  if (has("artifacts") && !Array.isArray(artifacts)) violations.add("artifacts", "NOT_ARRAY", "must be an array");
  else if (Array.isArray(artifacts)) {
    for (let index = 0; index < artifacts.length; index++)
      checkArtifact(artifacts[index], `artifacts[${index}]`, violations);
  }
  if (!has("provenance")) violations.missing("provenance");
  else checkProvenance(packet["provenance"], violations);
  violations.known(packet, PACKET_FIELDS, "");
}
