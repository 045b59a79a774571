/**
 * What a program needs to keep a device's database and its keys itself: the rows and ports of the sync, the decisions by
 * which a device writes records and logs of its own, and the keys of a key file.
 */
export {
  appendOwn,
  CHAIN_START,
  type ChainedEvent,
  type Change,
  type CommandView,
  type Decision,
  Draft,
  deleteLog,
  editRecord,
  type HeldLog,
  type HeldRecord,
  isSettled,
  type LogView,
  type Need,
  newLog,
  newSyncState,
  pairCommands,
  type RecordKey,
  recordKey,
  type SyncState,
  type View,
  type WaitingEvent,
} from "@codehands/sync";
export {
  type Chain,
  type Codec,
  type DeviceKeys,
  exportDeviceKeys,
  type Inflated,
  importDeviceKeys,
  makeDeviceKeys,
  type Ports,
  type StoredDeviceKeys,
} from "@codehands/vault";
export { type CutChange, cutChange, type SealedChange } from "./changes/cut-change.ts";
