/** Every repair of the protocol has a name, so that a run can switch one off and show what it repairs. */
export const RULES = {
  ancestry:
    "S2: hello accepts a device whose boot history contains the stored boot id (off: the previous one must be equal)",
  bootOnPush: "S4: every write carries the boot id and is refused when it is not the stored one",
  epochOnPush: "S9: a push carries the account epoch",
  pullFirst: "S33: a process pulls to head before its first push",
  have: "S13: an append that does not fit is answered with the row; the client compares chains (off: the cloud judges by the macs it kept)",
  fork: "S16: a tail that cannot be appended moves to a fork session (off: it is dropped)",
  forkNew: "S16: a log of the old id that the cloud does not have is forked whole (off: it goes on under the new id)",
  fence: "S13: a push of another writer than the log's is refused",
  writerKind: "S22: a record of a single-writer kind is written by its writer only",
  macFloor: "S13: prev_mac is checked (off: ranges only)",
  since: "S9: a snapshot page is checked against purged_to with the head at its start (off: with its cursor)",
  oneSnap: "S7: records and logs are read in one statement (off: in two)",
  cutUnion: "S7: the merged page is cut to the limit (off: each table has its own limit)",
  pageCas: "S8: a page is applied only when it starts at the stored cursor and generation",
  unseen: "S10: a reset forgets every base and row (off: rows are applied only when their version is higher)",
  sticky: "S10: a lineage reset that is started again stays one",
  sweepGuard: "S10: the sweep goes through T4 (off: every record that was not seen goes)",
  salvage: "S25: after a lineage change whoever holds a higher rev sends it again",
  sum: "S11: a page that reaches head carries the sum of all live rows; a difference is a reset",
  drop: "S22: a refused record takes the cloud's row (off: it stays dirty)",
  sealedOnce: "S23: a record is sealed once and sent again byte for byte (off: each send seals anew)",
  claimBoot: "S30: a claim names the boot id and only that boot may execute it",
  claimFirst: "S29: execute only after the claim is acknowledged",
  claimPassed: "S29: execute only when the cursor has passed the claim, so that an earlier withdrawal was seen",
  rowWins: "S28: an unsent outcome that meets an outcome in the cloud gives way; T5 decides again",
  logTomb: "S12: the row of a deleted session stays for ever (off: it is purged)",
  top: "S9: a pull carries the newest version the device has seen; a missing log or a lower head proves a rollback",
  lazy: "S35: the events of a log are fetched only where it was written or is followed (off: every reader fetches all)",
  keepRow: "S35: the newest row of every log is kept (off: only of those that are fetched)",
  rechainFinal:
    "V12: what was acknowledged once keeps its chain values (off: all that the cloud does not show is chained anew)",
  ackCas: "S14: pushed_seq moves only when the own chain agrees with the row",
} as const;

export type Rule = keyof typeof RULES;
export type Rules = Record<Rule, boolean>;

/** All rules on, but for those named. */
export function rulesWithout(...off: Rule[]): Rules {
  const names = Object.keys(RULES) as Rule[];
  return Object.fromEntries(names.map((name) => [name, !off.includes(name)])) as Rules;
}

/** 53-bit string hash (cyrb53): stands for sha256, HMAC and uuid in the model. */
export function hash(...parts: readonly (string | number)[]): string {
  const text = parts.join("\u0001");
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

/** Seeded generator (mulberry32): each call gives an integer 0 … 65535. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) >>> 16;
  };
}

export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
/** Chain value before the first event of a log. */
export const rootOf = (sid: string): string => hash("root", sid);
/** An event as the cloud holds it: its id with the epoch of the key that sealed it, 0 being the first. */
export const sealedName = (id: string, key: number): string => (key === 0 ? id : `${id}~${key}`);
export const eventIn = (sealed: string): string => sealed.split("~")[0] ?? "";
export const keyIn = (sealed: string): number => Number(sealed.split("~")[1] ?? 0);
/** Chain value after event `seq`. */
export const linkOf = (prev: string, seq: number, sealed: string): string => hash("ev", prev, seq, sealed);
