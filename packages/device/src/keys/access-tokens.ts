/** A token lives an hour by the cloud's clock; it is replaced well before, by a clock of our own. */
const FRESH_MS = 50 * 60_000;

export interface AccessTokens {
  /** The token of the moment. Callers at the same time share one request. */
  current(): Promise<string>;
  /** It was refused: the next call asks for another one. */
  drop(): void;
}

/** Keeps one access token. `now` is any steady clock, milliseconds. */
export function openAccessTokens(ask: () => Promise<string>, now: () => number): AccessTokens {
  let held: { token: Promise<string>; since: number } | null = null;
  return {
    current() {
      if (held && now() - held.since < FRESH_MS) return held.token;
      const asked = { token: ask(), since: now() };
      held = asked;
      // What failed is not kept. Whoever waits for it is told.
      asked.token.catch(() => {
        if (held === asked) held = null;
      });
      return asked.token;
    },
    drop() {
      held = null;
    },
  };
}
