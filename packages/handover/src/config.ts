/** What the environment says. Nothing else of this package reads it. */
export interface HandoverConfig {
  /** `HANDOVER_PACKET`: where the packet lies. */
  packet: string | null;
  /** `HANDOVER_AGENT`: who hands off. */
  agent: string | null;
}

/** Reads the environment; an empty variable counts as one that is not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): HandoverConfig {
  const filled = (name: string): string | null => env[name]?.trim() || null;
  return { packet: filled("HANDOVER_PACKET"), agent: filled("HANDOVER_AGENT") };
}
