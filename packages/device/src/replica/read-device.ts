import { AGENT_KINDS, type AgentKind, RECORD_KINDS } from "@codehands/contracts";
import type { HeldRecord } from "@codehands/sync";
import type { DeviceStore } from "../ports/device-store.ts";
import { isObject, readObject, textOf } from "./read-json.ts";

/** What another device said of itself in its signed record (V23). */
export interface KnownDevice {
  id: string;
  name: string;
  /** When its last signed record was received, ISO: never a hint of the cloud about a connection. */
  lastHeardAt: string | null;
  /** Null while it cannot be read: then no command can be meant for it. */
  incarnation: string | null;
  /** The agents it can run, those that are signed in first. */
  agents: AgentKind[];
}

/** A device of which no record is here is named by the beginning of its id. */
export const unknownDevice = (id: string): KnownDevice => ({
  id,
  name: id.slice(0, 8),
  lastHeardAt: null,
  incarnation: null,
  agents: [],
});

/** The device of a device record; a body that cannot be read leaves the name open. */
export function readDevice(record: HeldRecord): KnownDevice {
  const body = readObject(record.body);
  const device = unknownDevice(record.id);
  return {
    ...device,
    name: textOf(body, "name")?.trim() || device.name,
    lastHeardAt: record.base?.receivedAt ?? null,
    incarnation: textOf(body, "incarnation"),
    agents: agentsOf(body?.agents),
  };
}

function agentsOf(told: unknown): AgentKind[] {
  if (!Array.isArray(told)) return [];
  const usable = told.filter(isObject).filter(({ path, signedIn }) => path !== null && signedIn !== false);
  const sure = [...usable].sort((a, b) => Number(b.signedIn === true) - Number(a.signedIn === true));
  return sure.flatMap(({ agent }) => AGENT_KINDS.find((kind) => kind === agent) ?? []);
}

/** What is known of every device that wrote a record of itself, by its id. */
export async function readDevices(store: DeviceStore): Promise<Map<string, KnownDevice>> {
  const records = await store.recordsOf(RECORD_KINDS.device);
  // A device writes of itself alone.
  const own = records.filter((record) => !record.deleted && record.writer === record.id);
  return new Map(own.map((record) => [record.id, readDevice(record)]));
}
