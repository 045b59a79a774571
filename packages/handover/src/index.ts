/** The door of @codehands/handover. */
export { fromAntigravity } from "./adapters/antigravity.ts";
export { fromClaudeCode } from "./adapters/claude-code.ts";
export { fromCodehands } from "./adapters/codehands.ts";
export { fromCodex } from "./adapters/codex.ts";
export { fromCursor } from "./adapters/cursor.ts";
export { ADAPTERS, getAdapter } from "./adapters/registry.ts";
export { type Completeness, completeness } from "./assess/completeness.ts";
export { diffPackets, type PacketDiff } from "./assess/diff-packets.ts";
export { summarize } from "./assess/summarize.ts";
export type { HandoverExit, HandoverWorld } from "./command/handover-world.ts";
export { runHandover } from "./command/run-handover.ts";
export { type HandoverConfig, readConfig } from "./config.ts";
export { type AdvancePatch, advance } from "./construct/advance.ts";
export { type PackInput, pack } from "./construct/pack.ts";
export type { Patch, ReviseOptions } from "./construct/read-packet.ts";
export { revise } from "./construct/revise.ts";
export { HandoverError, type HandoverErrorCode } from "./handover-error.ts";
export { canonicalize } from "./hash/canonicalize.ts";
export { computeHash } from "./hash/compute-hash.ts";
export { computeId } from "./hash/compute-id.ts";
export { ERROR_CODES, type ErrorCode, type Validation, type ValidationError } from "./packet/error-codes.ts";
export { redactSecrets } from "./packet/find-secrets.ts";
export {
  type Artifact,
  type Draft,
  PACKET_FIELDS,
  type Packet,
  type PacketState,
  type Provenance,
  REQUIRED_SECTIONS,
  type Section,
  type StampedPacket,
} from "./packet/packet.ts";
export { resume } from "./render/resume.ts";
export { type McpResource, RESUME_SHAPES, type ResumeShape, resumeInto } from "./render/resume-into.ts";
export { defaultPacketPath, loadPacket, savePacket } from "./store/packet-file.ts";
export type { Adapter, AdapterOptions } from "./transcript/adapter.ts";
export { linesOf, type Sequence } from "./transcript/lines-of.ts";
export { isIso8601Utc } from "./validate/is-iso8601-utc.ts";
export { isSha256Hex } from "./validate/is-sha256-hex.ts";
export { validateArtifact } from "./validate/validate-artifact.ts";
export { validatePacket } from "./validate/validate-packet.ts";
