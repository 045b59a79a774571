import type { HeldRecord } from "@codehands/sync";
import { fromBase64url, inspectItem, type RecordHeader, toBase64url } from "@codehands/vault";

/** What a sealed record says of itself, and its name. It was verified when it was taken, or sealed here. */
export interface SealedFacts {
  header: RecordHeader;
  hash: Uint8Array;
}

const MOST_FACTS = 50_000;

/** Facts of items that were looked at, by their short names: an item is read once, however often it is counted. */
export class FactsCache {
  readonly #facts = new Map<string, SealedFacts | null>();

  /** Null for bytes that are no record. */
  async of(item: string, mac: string): Promise<SealedFacts | null> {
    if (item === "") return null;
    const held = this.#facts.get(mac);
    if (held !== undefined) return held;
    const facts = await readFacts(item);
    // A name that is not the item's own would speak for another one.
    if (facts && toBase64url(facts.hash.slice(0, 16)) !== mac) return facts;
    this.note(mac, facts);
    return facts;
  }

  /** Keeps what an item of this very name says: the caller has read it. */
  note(mac: string, facts: SealedFacts | null): void {
    if (this.#facts.size >= MOST_FACTS) this.#facts.clear();
    this.#facts.set(mac, facts);
  }

  /** Of the content that is held: its own seal, or the one it was edited from. */
  ofHeld({ item, mac, base }: HeldRecord): Promise<SealedFacts | null> {
    return item === "" ? this.ofBase(base) : this.of(item, mac);
  }

  /** Of the cloud's row as last seen. */
  async ofBase(base: HeldRecord["base"]): Promise<SealedFacts | null> {
    return base ? this.of(base.body, base.mac) : null;
  }
}

/** Reads a sealed record's header and hash; null for bytes that are none. */
export async function readFacts(item: string): Promise<SealedFacts | null> {
  const facts = await inspectItem(fromBase64url(item));
  if (!facts.ok || facts.value.header.type !== "record") return null;
  return { header: facts.value.header, hash: facts.value.hash };
}
