import { RECORD_KINDS } from "@codehands/contracts";
import { toBase64url } from "../bytes/base64url.ts";
import type { Roster } from "../roster/roster.ts";
import type { RecordMark } from "../roster/statement.ts";
import { isShared } from "./accept-record.ts";
import { type DeviceView, markOf, recordsDigest } from "./device-record.ts";

/** A row of the records that a device holds: deleted ones count too. */
export interface HeldRecord {
  kind: number;
  id: string;
  writer: string;
  n: number;
  hash: Uint8Array;
  deleted: boolean;
}

/** The device record that is held of one device. */
export interface HeldView {
  n: number;
  hash: Uint8Array;
  view: DeviceView;
}

/** A lie that shows: what is kept from this device, or told otherwise to another one. */
export interface Suspicion {
  code: "WITHHELD" | "EQUIVOCATION";
  /** "roster", or the device whose records are concerned. */
  what: string;
  /** The device whose signed record shows it; "pairing" for the memory that came with the envelope. */
  shownBy: string;
}

export interface ViewsHeld {
  roster: Pick<Roster, "seq" | "hashes">;
  /** By device id. */
  views: ReadonlyMap<string, HeldView>;
  records: Iterable<HeldRecord>;
  /** What the device that let this one in had seen (V25). */
  inherited?: Readonly<Record<string, RecordMark>>;
}

/**
 * At the end of every pull to head (V24): what the held device records say against each other, the roster and the held
 * records. An honest cloud gives none. They stop obedience to commands until a person has looked.
 */
export async function checkViews(held: ViewsHeld): Promise<Suspicion[]> {
  const found: Suspicion[] = [];
  const rows = byWriter(held.records);
  for (const [shownBy, { n, view }] of held.views) {
    const inRoster = checkRosterView(held.roster, view);
    if (inRoster !== null) found.push({ code: inRoster, what: "roster", shownBy });
    found.push(...checkSeen(held, view.seen, shownBy));
    if (!(await agrees(rows.get(shownBy) ?? [], n, view))) found.push({ code: "WITHHELD", what: shownBy, shownBy });
  }
  found.push(...checkSeen(held, held.inherited ?? {}, "pairing"));
  return found;
}

function byWriter(records: Iterable<HeldRecord>): Map<string, HeldRecord[]> {
  const rows = new Map<string, HeldRecord[]>();
  for (const record of records) {
    const own = rows.get(record.writer);
    if (own === undefined) rows.set(record.writer, [record]);
    else own.push(record);
  }
  return rows;
}

function checkRosterView(roster: ViewsHeld["roster"], view: DeviceView): Suspicion["code"] | null {
  if (view.roster.seq > roster.seq) return "WITHHELD";
  const own = roster.hashes[view.roster.seq];
  return own !== undefined && toBase64url(own) === view.roster.hash ? null : "EQUIVOCATION";
}

function checkSeen(held: ViewsHeld, seen: Readonly<Record<string, RecordMark>>, shownBy: string): Suspicion[] {
  return Object.entries(seen).flatMap(([what, mark]): Suspicion[] => {
    const own = held.views.get(what);
    if (own === undefined || own.n < mark.n) return [{ code: "WITHHELD", what, shownBy }];
    return own.n === mark.n && markOf(own).hash !== mark.hash ? [{ code: "EQUIVOCATION", what, shownBy }] : [];
  });
}

/** A newer record of the device means that its digest is of an earlier moment: the next device record tells. */
async function agrees(rows: readonly HeldRecord[], n: number, view: DeviceView): Promise<boolean> {
  const counted = rows.filter(({ kind }) => kind !== RECORD_KINDS.device && !isShared(kind));
  if (counted.some((row) => row.n > n)) return true;
  return (await recordsDigest(counted.filter((row) => !row.deleted))) === view.digest;
}
