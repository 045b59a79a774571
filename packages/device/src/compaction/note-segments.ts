import type { CompactRequest, PushReply, PushRequest } from "@codehands/contracts";
import type { CloudPort } from "@codehands/sync";
import { inspectItem } from "@codehands/vault";
import { isPassing } from "./is-passing.ts";
import type { CloudSegment, SegmentLedger } from "./segment-ledger.ts";

/** The same cloud; what it takes as segments of own logs is written into the ledger. */
export function noteSegments(cloud: CloudPort, ledger: SegmentLedger): CloudPort {
  return {
    ...cloud,
    async push(request, blob) {
      const reply = await cloud.push(request, blob);
      if ("logs" in reply) await notePush(ledger, { request, blob, reply });
      return reply;
    },
    async compact(request, body) {
      try {
        const reply = await cloud.compact(request, body);
        if ("code" in reply) noteCompaction(ledger, request, reply.code);
        return reply;
      } catch (error) {
        // Only where the cloud did not say no is it worth asking again.
        if (!isPassing(error)) ledger.forget(request.streamId);
        throw error;
      }
    },
  };
}

function noteCompaction(ledger: SegmentLedger, request: CompactRequest, code: "OK" | "FENCED" | "RANGE"): void {
  if (code === "OK") ledger.compacted(request.streamId, request);
  else ledger.forget(request.streamId);
}

interface Pushed {
  request: PushRequest;
  blob: Uint8Array;
  reply: PushReply;
}

async function notePush(ledger: SegmentLedger, { request, blob, reply }: Pushed): Promise<void> {
  let at = 0;
  for (const [n, { streamId, lens, deleted }] of request.logs.entries()) {
    const items = lens.map((length) => blob.subarray(at, (at += length)));
    if (reply.logs[n]?.code !== "OK") continue;
    if (deleted) ledger.forget(streamId);
    else ledger.pushed(streamId, (await Promise.all(items.map(segmentOf))).flat());
  }
}

async function segmentOf(item: Uint8Array): Promise<CloudSegment[]> {
  const facts = await inspectItem(item);
  if (!facts.ok || facts.value.header.type !== "segment") return [];
  const { from, to, epoch } = facts.value.header;
  return [{ from, to, epoch, bytes: null }];
}
