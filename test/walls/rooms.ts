/** The house: which room may import which. Imports point down; peers never; apps never import apps. */
export interface Room {
  folder: string;
  floor: 0 | 1 | 2 | 3;
  /** The rooms it may import, by folder name. */
  may: readonly string[];
  /** Apps whose built files it starts as processes: it depends on them and never imports them. */
  starts?: readonly string[];
  /** Doors that are for others; its tests may stand on them. */
  not?: readonly string[];
}

export const ROOMS: Readonly<Record<string, Room>> = {
  contracts: { folder: "packages/contracts", floor: 0, may: [] },
  handover: { folder: "packages/handover", floor: 0, may: [] },
  runner: { folder: "packages/runner", floor: 1, may: ["contracts"] },
  hands: { folder: "packages/hands", floor: 1, may: ["contracts"] },
  sync: { folder: "packages/sync", floor: 1, may: ["contracts"] },
  vault: { folder: "packages/vault", floor: 1, may: ["contracts"] },
  api: { folder: "packages/api", floor: 1, may: ["contracts"] },
  tui: { folder: "packages/tui", floor: 1, may: ["contracts"] },
  "pg-embedded": { folder: "packages/pg-embedded", floor: 1, may: [] },
  runtime: { folder: "packages/runtime", floor: 2, may: ["contracts", "hands"] },
  device: { folder: "packages/device", floor: 2, may: ["api", "sync", "vault", "contracts"] },
  daemon: { folder: "apps/daemon", floor: 3, may: ["api", "runner", "device", "handover", "contracts"] },
  cloud: { folder: "apps/cloud", floor: 3, may: ["api", "sync", "vault", "pg-embedded", "contracts"] },
  web: { folder: "apps/web", floor: 3, may: ["api", "device", "contracts"] },
  cli: {
    folder: "apps/cli",
    floor: 3,
    may: ["api", "runtime", "tui", "handover", "contracts"],
    starts: ["daemon", "cloud"],
    // The command is a client: it has no router.
    not: ["@codehands/api/local"],
  },
};

/** The package name of a room, as it is published. */
export function packageName(room: string): string {
  if (room === "cli") return "codehands";
  return room === "device" ? "@codehands/client" : `@codehands/${room}`;
}

/** The room whose package has this name, or null. A path behind the name (`@codehands/api/client`) is ignored. */
export function roomOf(specifier: string): string | null {
  const name = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : specifier.split("/", 1)[0];
  return Object.keys(ROOMS).find((room) => packageName(room) === name) ?? null;
}

/** The room that a file lies in, or null. */
export function roomAt(path: string): string | null {
  return Object.keys(ROOMS).find((room) => path.startsWith(`${ROOMS[room]?.folder}/`)) ?? null;
}
