import type { PullPage, SyncRefusal, SyncReset } from "@codehands/contracts";
import type { PageResult } from "../feed/apply-page.ts";
import { Draft } from "../feed/draft.ts";
import { startReset } from "../feed/start-reset.ts";
import { applyRefusal } from "../identity/apply-hello.ts";
import type { SyncParts } from "./sync-parts.ts";

/** What a page tells the process, once it is stored. */
export function noteClock({ memory }: Pick<SyncParts, "memory">, page: PullPage, result: PageResult): void {
  if (result === "late") return;
  memory.now = Date.parse(page.now);
  if (result === "more") return;
  memory.atHead = result === "head";
  if (result === "mismatch") memory.probe.clear();
}

/** As whom, and in which generation, a request was sent. */
export interface SentBy {
  gen: number;
  deviceId: string;
}

/** The answers that carry no content: a reset (S9, S4) or a refusal of the whole device (S5). */
export async function answerWithout(
  parts: Pick<SyncParts, "store" | "memory">,
  reply: SyncReset | SyncRefusal,
  { gen, deviceId }: SentBy,
): Promise<void> {
  const { store, memory } = parts;
  if ("answer" in reply) return refuse(parts, reply.answer, deviceId);
  if (reply.reset === "boot") {
    memory.hello = false;
    return;
  }
  const { reset: reason, epoch } = reply;
  const began = await store.apply({}, (view) => {
    const draft = new Draft(view);
    const result = startReset(draft, { gen, reason, epoch });
    return { changes: result ? draft.changes() : [], result };
  });
  if (!began) return;
  memory.atHead = false;
  memory.probe.clear();
}

/** S5: the cloud refuses the device that the request was sent as. */
export async function refuse(
  { store, memory }: Pick<SyncParts, "store" | "memory">,
  answer: SyncRefusal["answer"],
  sentAs: string,
): Promise<void> {
  await store.apply({}, (view) => {
    const draft = new Draft(view);
    applyRefusal(draft, answer, sentAs);
    return { changes: draft.changes(), result: undefined };
  });
  memory.hello = false;
}
