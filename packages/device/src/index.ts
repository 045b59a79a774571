/** A device in a box. */
export { type ChangeRecord, readChangeRecord } from "./changes/change-record.ts";
export {
  CHANGE_LIMITS,
  type ChangeLimits,
  type CutChange,
  cutChange,
  type SealedChange,
} from "./changes/cut-change.ts";
export { type JoinedChange, joinChange } from "./changes/join-change.ts";
export { type Resealing, resealCommands } from "./commands/reseal-commands.ts";
export type * from "./device.ts";
export { DeviceError, type DeviceErrorCode } from "./device-error.ts";
export { openDevice } from "./open-device.ts";
export type * from "./ports/account-store.ts";
export type * from "./ports/device-options.ts";
export type * from "./ports/device-store.ts";
export type * from "./ports/key-store.ts";
export type * from "./ports/replica-deps.ts";
export { type LinkedDevice, linkDevice } from "./replica/local-link.ts";
export { createReplicaSessions } from "./replica/replica-sessions.ts";
export { MemoryAccountStore } from "./stores/memory-account-store.ts";
export { MemoryDeviceStore } from "./stores/memory-device-store.ts";
export { MemoryKeyStore } from "./stores/memory-key-store.ts";
export { type BrowserStores, openBrowserStores } from "./stores/open-browser-stores.ts";
