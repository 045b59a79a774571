import type { Draft } from "../feed/draft.ts";
import type { HeldLog } from "../ports/held-log.ts";
import { droppedLog } from "./fork-log.ts";

/** S21: the writer deletes a log here; the cloud is told with the next push. */
export function deleteLog(draft: Draft, log: HeldLog): void {
  draft.write({ op: "cut", streamId: log.streamId, after: 0, to: "nowhere" });
  draft.write({ op: "unwait", streamId: log.streamId, ids: "all" });
  draft.putLog({ ...droppedLog(log), mine: log.mine });
}
