import { createHash } from "node:crypto";
import type { Sql } from "postgres";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { CloudError } from "../http/cloud-error.ts";
import { LIMIT_RULES, type LimitName, type LimitRule } from "./limit-rules.ts";

export interface Limits {
  /** Counts a try. Throws `too_many` with the seconds to wait, `unavailable` when nobody can count. */
  take(name: LimitName, key: string): Promise<void>;
  /** Takes a try back: it was none of those that are counted. */
  giveBack(name: LimitName, key: string): Promise<void>;
  /** Forgets all tries. */
  forget(name: LimitName, key: string): Promise<void>;
}

/**
 * Limits that all servers of a cloud share and that survive restarts: they are rows of `rate_limits`. Given a
 * transaction, what is done to them is part of it.
 */
export function openLimits(sql: Pick<Sql, "unsafe">): Limits {
  const storeClient = {
    query: async ({ text, values }: { text: string; values: (string | number | null)[] }) => ({
      rows: await sql.unsafe(text, values),
    }),
  };
  const limiters = new Map<LimitName, RateLimiterPostgres>();
  for (const [name, rule] of Object.entries(LIMIT_RULES) as [LimitName, LimitRule][]) {
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: "client",
      tableName: "rate_limits",
      tableCreated: true,
      keyPrefix: name,
      points: rule.tries,
      duration: rule.within,
      clearExpiredByTimeout: false,
      ...(rule.block === undefined ? {} : { blockDuration: rule.block }),
    });
    limiters.set(name, limiter);
  }
  const of = (name: LimitName): RateLimiterPostgres => {
    const limiter = limiters.get(name);
    if (limiter === undefined) throw new TypeError(`no limit ${name}`);
    return limiter;
  };
  return {
    async take(name, key) {
      try {
        await of(name).consume(hidden(key));
      } catch (refusal) {
        throw tooMany(name, refusal);
      }
    },
    async giveBack(name, key) {
      await of(name).reward(hidden(key));
    },
    async forget(name, key) {
      await of(name).delete(hidden(key));
    },
  };
}

/** The table holds no e-mail address and no network address. */
function hidden(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

function tooMany(name: LimitName, refusal: unknown): CloudError {
  if (!(refusal instanceof RateLimiterRes))
    return new CloudError("unavailable", "This cannot be done at the moment. Try again in a moment.", {
      cause: refusal,
    });
  const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
  return new CloudError("too_many", `Too many ${LIMIT_RULES[name].what}. Try again in ${inWords(seconds)}.`, {
    retryAfter: seconds,
  });
}

function inWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
