import type { Draft } from "../feed/draft.ts";
import { type HeldLog, newLog } from "../ports/held-log.ts";

/**
 * S35: somebody opens a log: its events are fetched from the last one held on, and kept up to date. The draft must hold
 * the log when the store does; `kind` and `writer` count only for one that the store does not know yet.
 */
export function followLog(draft: Draft, name: Pick<HeldLog, "streamId" | "kind" | "writer">): void {
  const held = draft.log(name.streamId) ?? newLog(name);
  if (!held.followed) draft.putLog({ ...held, followed: true });
}

/** S35: nobody looks any more: what is held stays, and nothing newer is fetched. A log of this device stays followed. */
export function unfollowLog(draft: Draft, streamId: string): void {
  const held = draft.log(streamId);
  if (held?.followed && held.writer !== draft.state.deviceId) draft.putLog({ ...held, followed: false });
}
