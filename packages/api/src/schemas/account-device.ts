/** The devices of the account, and the state of the sync with the cloud. */
import * as z from "zod";

export const accountDevice = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["daemon", "browser", "program"]).nullable(),
  platform: z.string(),
  /** True for the device that answers. */
  current: z.boolean(),
  roles: z.array(z.enum(["admin", "command", "run"])),
  /** When its last signed record was received: never a hint of the cloud. */
  lastSeenAt: z.string().nullable(),
  createdAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
});
export type AccountDevice = z.infer<typeof accountDevice>;
export const accountDevices = z.object({ devices: z.array(accountDevice) });
export type AccountDevices = z.infer<typeof accountDevices>;

export const renameDevice = z.object({ name: z.string().trim().min(1).max(64) });
export const deviceById = z.object({ deviceId: z.uuid() });
export const deviceAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), devices: z.array(accountDevice) }),
  z.object({ ok: z.literal(false), code: z.string(), reason: z.string() }),
]);
export type DeviceAnswer = z.infer<typeof deviceAnswer>;

/** Equal symbols on two devices mean that the cloud shows both the same list of devices. */
export const fingerprintView = z.object({ fingerprint: z.string(), rosterSeq: z.number(), devices: z.number() });
export type FingerprintView = z.infer<typeof fingerprintView>;

export const syncView = z.object({
  /** `off`: not signed in. `stopped`: a person has to act, `reason` says on what. */
  state: z.enum(["off", "working", "resting", "retrying", "paused", "stopped"]),
  cursor: z.number(),
  /** The newest version that the cloud has told of. */
  head: z.number(),
  pendingPush: z.object({ events: z.number(), records: z.number() }),
  /** ISO time of the last exchange that went well: never "online". */
  lastRoundTripAt: z.string().nullable(),
  /** What the cloud or this device refused, with its reason. */
  refused: z.array(z.object({ what: z.string(), code: z.string(), reason: z.string() })),
  /** Lies that show, in plain words; commands of other devices are not obeyed until `sync.acknowledge`. */
  suspicions: z.array(z.object({ code: z.string(), what: z.string(), text: z.string() })),
  /** The last failure, or why it stopped; null when nothing is wrong. */
  error: z.string().nullable(),
  /** `copy`: another copy of this device lives; `sync.identity` says which one this is. */
  ask: z.enum(["copy", "pair_again", "revoked"]).nullable(),
});
export type SyncView = z.infer<typeof syncView>;

/** The sync while there is no account. */
export const SYNC_OFF: SyncView = {
  state: "off",
  cursor: 0,
  head: 0,
  pendingPush: { events: 0, records: 0 },
  lastRoundTripAt: null,
  refused: [],
  suspicions: [],
  error: null,
  ask: null,
};

export const syncIdentity = z.object({
  /** `new`: this copy becomes a device of its own. `this`: this is the device, the other copy is told. */
  as: z.enum(["new", "this"]),
});
export type SyncIdentity = z.infer<typeof syncIdentity>;
