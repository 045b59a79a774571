import type { RecordMark, Role } from "./statement.ts";

/** One device of a vault, removed ones included. */
export interface RosterDevice {
  id: string;
  sign: Uint8Array;
  agree: Uint8Array;
  platform: string;
  /** What it may do now; of a removed one, what it might do last. */
  roles: readonly Role[];
  /** The statement that added it, and its roles since each later one. */
  history: readonly { seq: number; roles: readonly Role[] }[];
  /** The statement that removed it, the first epoch it has no key of, and the last device record its remover held. */
  removed: { seq: number; epoch: number; cut: RecordMark | null } | null;
}

/** The signed list of devices, verified from statement 0. It is only ever extended, by copies. */
export interface Roster {
  /** 16 bytes: the name of this vault in every seal, signature and key. */
  readonly vault: Uint8Array;
  readonly seq: number;
  readonly hash: Uint8Array;
  /** Of every statement so far. */
  readonly hashes: readonly Uint8Array[];
  readonly epoch: number;
  readonly commits: ReadonlyMap<number, Uint8Array>;
  readonly devices: ReadonlyMap<string, RosterDevice>;
  /** The recovery key and the statement that brought it, which carries its signature. */
  readonly recovery: { sign: Uint8Array; agree: Uint8Array; seq: number };
  /** Every id and key that was ever given to a device or to recovery: none comes twice. */
  readonly used: ReadonlySet<string>;
}

/** The devices that are members now. */
export function activeDevices(roster: Roster): RosterDevice[] {
  return [...roster.devices.values()].filter((device) => device.removed === null);
}

/** The device as a member now, or null. */
export function activeDevice(roster: Pick<Roster, "devices">, id: string): RosterDevice | null {
  const device = roster.devices.get(id);
  return device === undefined || device.removed !== null ? null : device;
}

/** The roles of a device right after a statement; none when it was no member then. */
export function rolesAt(roster: Roster, id: string, seq: number): readonly Role[] {
  const device = roster.devices.get(id);
  if (device === undefined || (device.removed !== null && device.removed.seq <= seq)) return [];
  return device.history.findLast((since) => since.seq <= seq)?.roles ?? [];
}
