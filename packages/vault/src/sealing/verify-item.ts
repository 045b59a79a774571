import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { sha256 } from "../primitives/hash.ts";
import { verify } from "../primitives/signing.ts";
import { isShared } from "../records/accept-record.ts";
import type { Roster, RosterDevice } from "../roster/roster.ts";
import { fail } from "../vault-error.ts";
import type { ReadAccess } from "./access.ts";
import { checkCounters, type Header, type ItemParts, splitItem } from "./header.ts";
import { webCipher } from "./web-ports.ts";

/** What may be said of an item without any key. */
export interface ItemFacts {
  header: Header;
  /** 32 bytes: the item's name. Its first 16 are `mac` of the sync protocol. */
  hash: Uint8Array;
}

/** An item whose writer, role and signature hold. */
export interface VerifiedItem extends ItemFacts {
  parts: ItemParts;
  writer: RosterDevice;
}

/** The hash of a sealed item (V14): over everything but the signature, which a platform may randomise. */
export const itemHash = (item: Uint8Array): Promise<Uint8Array> => sha256(item.subarray(0, -64));

/** What an item's writer signs. */
export const itemMessage = (type: Header["type"], vault: Uint8Array, hash: Uint8Array): Uint8Array =>
  joinBytes(label(`${type}-sig`), vault, hash);

/** Reads an item's header and hash. Proves nothing: for looking and for counting. */
export function inspectItem(item: Uint8Array): Promise<Outcome<ItemFacts>> {
  return outcomeOf(async () => ({ header: splitItem(item).header, hash: await itemHash(item) }));
}

/**
 * The steps of V15 that need no key: size, format, writer, role, signature. What the cloud checks of every pushed
 * item, and a device before it opens one. Refuses with TOO_LARGE, BAD_FORMAT, UNKNOWN_FORMAT, UNKNOWN_DEVICE,
 * NOT_ALLOWED or BAD_SIGNATURE.
 */
export function verifyItem(roster: Roster, item: Uint8Array): Promise<Outcome<ItemFacts>> {
  return outcomeOf(async () => {
    const { header, hash } = await verifyParts({ roster }, item);
    return { header, hash };
  });
}

/** The same for use inside a check: throws. */
export async function verifyParts(
  { roster, ports }: Pick<ReadAccess, "roster" | "ports">,
  item: Uint8Array,
): Promise<VerifiedItem> {
  const parts = splitItem(item);
  const { header } = parts;
  const writer = roster.devices.get(header.writer) ?? fail("UNKNOWN_DEVICE", header.writer);
  if (writer.removed !== null && header.epoch >= writer.removed.epoch) fail("UNKNOWN_DEVICE", header.writer);
  if (header.type === "segment" && !writer.roles.includes("run")) fail("NOT_ALLOWED", header.writer);
  const hash = await (ports?.cipher ?? webCipher).sha256(parts.signed);
  const message = itemMessage(header.type, roster.vault, hash);
  if (!(await verify(writer.sign, parts.signature, message))) fail("BAD_SIGNATURE", header.type);
  checkCounters(header);
  return { header, hash, parts, writer };
}

/**
 * What the cloud checks of an item that a device pushes: V15 up to the signature, that the device pushes its own
 * (NOT_ALLOWED; what is shared anyone may bring back), and V12: STALE_EPOCH under an older epoch, except for what is sent `again` after a restored cloud.
 */
export function checkPushed(
  roster: Roster,
  item: Uint8Array,
  { device, again }: { device: string; again: boolean },
): Promise<Outcome<ItemFacts>> {
  return outcomeOf(async () => {
    const { header, hash } = await verifyParts({ roster }, item);
    const mayBringBack = again && header.type === "record" && isShared(header.kind);
    if (header.writer !== device && !mayBringBack) fail("NOT_ALLOWED", header.writer);
    if (header.epoch > roster.epoch) fail("KEY_MISSING", `epoch ${header.epoch}`);
    if (header.epoch < roster.epoch && !again) fail("STALE_EPOCH", `epoch ${header.epoch} before ${roster.epoch}`);
    return { header, hash };
  });
}
