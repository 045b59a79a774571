export * from "./auth/challenge.ts";
export { fromBase64url, toBase64url } from "./bytes/base64url.ts";
export { isUuid, uuidBytes, uuidText } from "./bytes/uuid.ts";
export * from "./commands/authorize-command.ts";
export {
  type Envelope,
  type EnvelopeParts,
  NO_CONTEXT,
  RECOVERY,
  readEnvelope,
  recipientBytes,
} from "./envelopes/envelope.ts";
export type { EnvelopePayload, EpochRoot } from "./envelopes/payload.ts";
export {
  type EnvelopePlan,
  type EnvelopeReader,
  openEnvelope,
  sealEnvelope,
  sealEpochEnvelopes,
} from "./envelopes/seal-envelope.ts";
export * from "./explain-code.ts";
export * from "./keys/browser-keys.ts";
export * from "./keys/device-keys.ts";
export { Keyring, type RosterRoots } from "./keys/keyring.ts";
export { derivedRecordId } from "./keys/record-id.ts";
export { newRoot } from "./keys/root-key.ts";
export type { Outcome, Refused } from "./outcome.ts";
export * from "./pairing/inviter.ts";
export * from "./pairing/newcomer.ts";
export type { NewcomerMessage, OfferMessage } from "./pairing/pairing-messages.ts";
export * from "./pairing/pairing-row.ts";
export * from "./pairing/qr-text.ts";
export * from "./pairing/user-code.ts";
export type { HpkeMessage } from "./primitives/hpke.ts";
export type { KeyPair } from "./primitives/key-pair.ts";
export type { RandomBytes, WebKey } from "./primitives/web-crypto.ts";
export * from "./records/accept-record.ts";
export * from "./records/check-tail.ts";
export * from "./records/check-views.ts";
export * from "./records/device-record.ts";
export * from "./records/plan-return.ts";
export * from "./recovery/recover-vault.ts";
export * from "./recovery/recovery-code.ts";
export * from "./roster/check-append.ts";
export * from "./roster/extend-roster.ts";
export * from "./roster/fingerprint.ts";
export { foldRoster } from "./roster/fold-roster.ts";
export * from "./roster/found-vault.ts";
export * from "./roster/make-statement.ts";
export * from "./roster/roster.ts";
export { type RecordMark, ROLES, ROSTER_LIMITS, type Role, type RosterOp, type Statement } from "./roster/statement.ts";
export { canSeal, type ReadAccess, type WriteAccess } from "./sealing/access.ts";
export { CHAIN_START, type ChainPart, chainEvents } from "./sealing/event-chain.ts";
export type { Header, RecordHeader, SegmentHeader } from "./sealing/header.ts";
export { paddedLength, SEAL_LIMITS } from "./sealing/limits.ts";
export { type ChainAt, LOG_START, type LogPosition } from "./sealing/place-segment.ts";
export * from "./sealing/ports.ts";
export * from "./sealing/record.ts";
export type { SealedItem } from "./sealing/seal-item.ts";
export * from "./sealing/segment.ts";
export { checkPushed, type ItemFacts, inspectItem, itemHash, verifyItem } from "./sealing/verify-item.ts";
export { VAULT_CODES, type VaultCode, VaultError } from "./vault-error.ts";
