import type {
  CompactReply,
  CompactRequest,
  HelloReply,
  HelloRequest,
  PullPage,
  PullRequest,
  PushRefusal,
  PushReply,
  PushRequest,
  SegmentsReply,
  SegmentsRequest,
  SyncRefusal,
  SyncReset,
} from "@codehands/contracts";

/**
 * The cloud, as far as sync speaks to it. A call rejects when no answer came; every answer that the protocol knows is
 * data. It sends as the device that `state.deviceId` names. Segments of a push lie in `blob` one behind the other, in the order of `logs` and their `lens`.
 */
export interface CloudPort {
  hello(request: HelloRequest): Promise<HelloReply>;
  pull(request: PullRequest): Promise<PullPage | SyncReset | SyncRefusal>;
  push(request: PushRequest, blob: Uint8Array): Promise<PushReply | PushRefusal | SyncReset | SyncRefusal>;
  segments(request: SegmentsRequest): Promise<SegmentsReply | SyncRefusal>;
  compact(request: CompactRequest, body: Uint8Array): Promise<CompactReply | SyncRefusal>;
}
