/** What one process remembers. Nothing of it is needed for safety (protocol, §1). */
export interface ProcessMemory {
  /** Made anew by every process (S1). */
  readonly boot: string;
  hello: boolean;
  /** A page to head was applied, and nothing since says that more has come. */
  atHead: boolean;
  /** The cloud's clock in its last page, milliseconds. */
  now: number;
  /** Where the search for common ground stands, by stream id (S18). */
  probe: Map<string, number>;
  /** The key has changed: logs whose unsent events were chained anew since; null: nothing is to be chained anew (V12). */
  rechained: Set<string> | null;
  /** The last push was refused as sealed under an older key epoch. */
  stale: boolean;
  compactions: { streamId: string; from: number; to: number }[];
  /** What the next push may hold; its bytes are halved when the cloud finds it too large. */
  push: { events: number; bytes: number };
}
