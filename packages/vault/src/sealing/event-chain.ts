import { label } from "../bytes/label.ts";
import { fail } from "../vault-error.ts";
import type { ReadAccess } from "./access.ts";
import { webChain } from "./web-ports.ts";

/** c_0 of every log. */
export const CHAIN_START: Uint8Array = new Uint8Array(16);

export interface ChainPart {
  stream: string;
  /** The epoch that seals these events. */
  epoch: number;
  /** c_{from−1}. */
  before: Uint8Array;
  from: number;
  events: readonly Uint8Array[];
}

/**
 * The chain values of events (V19), one for each, 16 bytes: keyed, so that the cloud can compare and not compute, and
 * per event, so that any cutting into segments gives the same. Throws KEY_MISSING.
 */
export async function chainEvents(access: ReadAccess, part: ChainPart): Promise<Uint8Array[]> {
  const { stream, epoch, before, from, events } = part;
  if (before.length !== 16) fail("BAD_FORMAT", "chain value");
  const key = await access.keys.chain(epoch, stream);
  return (access.ports?.chain ?? webChain).run({ key, before, from, events }, label("chain"));
}
