/** How often something may be tried. A block begins with the try that is one too many. */
export interface LimitRule {
  tries: number;
  /** Seconds. */
  within: number;
  /** Seconds; until `within` has passed when absent. */
  block?: number;
  /** What there was too much of, for a person. */
  what: string;
}

const QUARTER_HOUR = 15 * 60;

export const LIMIT_RULES = {
  "login-account": { tries: 5, within: 60, block: QUARTER_HOUR, what: "tries to log in to this account" },
  "login-address": { tries: 20, within: 60, block: QUARTER_HOUR, what: "tries to log in from this address" },
  "sign-up-address": { tries: 5, within: 3_600, what: "new accounts from this address" },
  /** Wrong codes only: a right one is given back. */
  "pair-code": { tries: 5, within: QUARTER_HOUR, what: "wrong pairing codes from this address" },
  "pair-start": { tries: 30, within: QUARTER_HOUR, what: "pairings from this address" },
  /** Of an account: no more than so many are open at once, since each holds ten minutes. */
  "pair-invite": { tries: 20, within: QUARTER_HOUR, what: "invitations of this account" },
  challenge: { tries: 240, within: 60, what: "requests for an access token from this address" },
} as const satisfies Record<string, LimitRule>;
export type LimitName = keyof typeof LIMIT_RULES;
