import { applyPage } from "../feed/apply-page.ts";
import { Draft } from "../feed/draft.ts";
import { addBoot, applyHello } from "../identity/apply-hello.ts";
import type { View } from "../ports/store.ts";
import { answerWithout, noteClock, refuse } from "./answer-without.ts";
import { compactLog } from "./compact-log.ts";
import { fetchSegments } from "./fetch-segments.ts";
import { openRows, touchedBy } from "./open-rows.ts";
import type { NextRequest } from "./plan-next.ts";
import { sendPush } from "./send-push.ts";
import type { SyncParts } from "./sync-parts.ts";

/** Sends one request and applies its answer. Rejects when no answer came, or one that cannot be. */
export async function exchange(parts: SyncParts, view: View, next: NextRequest): Promise<void> {
  switch (next.do) {
    case "hello":
      return sayHello(parts);
    case "pull":
      return pull(parts, view);
    case "segments":
      return fetchSegments(parts, view, next);
    case "push":
      return sendPush(parts, next.plan);
    case "compact":
      return compactLog(parts, next);
    default:
      return;
  }
}

async function sayHello({ cloud, store, memory }: SyncParts): Promise<void> {
  const { boot } = memory;
  // S1: in its own durable write, before the cloud can know of it.
  const state = await store.apply({}, (view) => {
    const next = addBoot(view.state, boot);
    return { changes: next === view.state ? [] : [{ op: "state" as const, state: next }], result: next };
  });
  const { deviceId: device, boots, mode, seen } = state;
  const how = mode === null ? {} : mode === "adopt" ? { mode, seen: seen ?? "" } : { mode };
  const reply = await cloud.hello({ boots, boot, ...how });
  const { answer } = reply;
  if (answer === "UNKNOWN" || answer === "REVOKED") return refuse({ store, memory }, answer, device);
  const accepted = await store.apply({}, (view) => {
    const draft = new Draft(view);
    const result = applyHello(draft, reply, device);
    return { changes: draft.changes(), result };
  });
  if (accepted) memory.hello = true;
}

async function pull(parts: SyncParts, { state }: View): Promise<void> {
  const { cloud, store, sealing } = parts;
  const { epoch, cursor, top, reset, gen, deviceId } = state;
  const since = reset ? reset.since : cursor;
  const reply = await cloud.pull({ epoch, cursor, since, top: Math.max(top, cursor), limit: parts.limits.rows });
  if (!("rows" in reply)) return answerWithout(parts, reply, { gen, deviceId });
  const opened = await openRows(sealing, { page: reply });
  const result = await store.apply(
    { ...touchedBy(reply), ...(reply.more ? {} : { unbased: true, unsettled: true }) },
    (view) => {
      const draft = new Draft(view);
      const done = applyPage(draft, gen, { page: reply, opened });
      return { changes: done === "late" ? [] : draft.changes(), result: done };
    },
  );
  noteClock(parts, reply, result);
}
