import { RECORD_KINDS } from "@codehands/contracts";
import { fromUtf8, utf8 } from "../bytes/text.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { parseJson } from "../parsing/strict-json.ts";
import type { RosterDevice } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";
import type { ReadAccess, WriteAccess } from "./access.ts";
import type { RecordHeader } from "./header.ts";
import { SEAL_LIMITS } from "./limits.ts";
import { openItem, type SealedItem, sealItem } from "./seal-item.ts";
import { webCodec } from "./web-ports.ts";

export interface RecordPlan {
  kind: number;
  id: string;
  /** Starts at 1 and grows by one with each change of this record. */
  rev: number;
  /** This device's counter over all its records: +1 a write, stored before it is sent, never used twice (V22). */
  n: number;
  /** A deletion has the body `{}`. */
  deleted?: boolean;
  /** What JSON.stringify takes; ignored in a deletion. */
  body: unknown;
  /** Compresses the body. Small records stay as they are: so their lengths tell nothing of their content. */
  compress?: boolean;
}

const DELETED = "{}";

/** Seals one record under the newest epoch of the roster (V12, V14). Throws TOO_LARGE, KEY_MISSING, BAD_FORMAT. */
export async function sealRecord(
  access: WriteAccess,
  plan: RecordPlan,
): Promise<SealedItem & { header: RecordHeader }> {
  const { kind, id, rev, n, deleted = false } = plan;
  const json = utf8(deleted ? DELETED : JSON.stringify(plan.body));
  if (json.length > SEAL_LIMITS.inflated) fail("TOO_LARGE", "record");
  const codec = plan.compress === true && access.compress !== false ? 1 : 0;
  const { epoch } = access.roster;
  const header: RecordHeader = { type: "record", codec, epoch, writer: access.device, deleted, kind, id, rev, n };
  const body = codec === 0 ? json : await (access.ports?.codec ?? webCodec).deflate(json);
  return { ...(await sealItem(access, header, body)), header };
}

export interface OpenedRecord {
  header: RecordHeader;
  hash: Uint8Array;
  /** Set when its writer is no member any more. */
  removed: RosterDevice["removed"];
  /** What was sealed; the caller reads it with the shape of its kind. */
  body: unknown;
}

/**
 * Opens the record that was asked for (V15). Columns that came beside it count for nothing: WRONG_PLACE when kind or
 * id in the signed header are others, or a device record is not its own device's.
 */
export function openRecord(
  access: ReadAccess,
  item: Uint8Array,
  place: { kind: number; id: string },
): Promise<Outcome<OpenedRecord>> {
  return outcomeOf(async () => {
    const { header, hash, writer, body } = await openItem(access, item);
    if (header.type !== "record") fail("WRONG_PLACE", "a segment where a record was asked for");
    if (header.kind !== place.kind || header.id !== place.id) fail("WRONG_PLACE", "another record");
    if (header.kind === RECORD_KINDS.device && header.id !== header.writer) fail("NOT_ALLOWED", header.writer);
    if (header.deleted && fromUtf8(body) !== DELETED) fail("BAD_FORMAT", "a deletion with a body");
    return { header, hash, removed: writer.removed, body: parseJson(body) };
  });
}
