import { label } from "../bytes/label.ts";
import { sha256 } from "../primitives/hash.ts";
import { toSymbols } from "../recovery/symbols.ts";
import type { Roster } from "./roster.ts";

/** What a person compares on two devices (`devices verify`): 20 symbols in groups of five. Equal views, equal symbols. */
export async function fingerprint(roster: Pick<Roster, "hash">): Promise<string> {
  const symbols = toSymbols(await sha256(label("fingerprint"), roster.hash), 20);
  return symbols.replaceAll(/(.{5})(?=.)/g, "$1-");
}
