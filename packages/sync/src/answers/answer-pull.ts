import type { PullRequest, SyncReset } from "@codehands/contracts";

/** What decides about a page. */
export interface AccountHead {
  epoch: string;
  head: number;
  purgedTo: number;
}

/** Table T1d, pull: the reset that answers a pull, or null: a page follows (S9). */
export function answerPull(account: AccountHead, request: PullRequest): SyncReset | null {
  const { epoch, head, purgedTo } = account;
  if (request.epoch !== epoch || Math.max(request.top, request.cursor) > head) return { reset: "lineage", epoch };
  return request.since !== null && request.since < purgedTo ? { reset: "purged", epoch } : null;
}

/** Table T1d, push: the reset that answers a push, or null: T1 and T1b follow (S4, S9). */
export function refusePush(
  account: AccountHead,
  { epoch, boot }: { epoch: string; boot: string },
  storedBoot: string,
): SyncReset | null {
  if (epoch !== account.epoch) return { reset: "lineage", epoch: account.epoch };
  return boot === storedBoot ? null : { reset: "boot" };
}
