/** A promise of the protocol that was not kept. The first word of the message names its kind. */
export class Broken extends Error {}

/** Throws Broken when a promise is not kept. */
export function must(kept: unknown, what: string | (() => string)): void {
  if (!kept) throw new Broken(typeof what === "string" ? what : what());
}
