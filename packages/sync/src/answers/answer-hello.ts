import type { HelloReply, HelloRequest } from "@codehands/contracts";

/** What the cloud keeps of a device. */
export interface KnownDevice {
  bootId: string;
  revoked: boolean;
}

export interface HelloAnswer {
  reply: HelloReply;
  /** True: the device's boot id becomes the request's (S2); with `adopt` only if it still is `request.seen`. */
  store: boolean;
}

/** Table T1c: how a cloud of lineage `epoch` answers a hello. `device` is null when the cloud has none of that id. */
export function answerHello(device: KnownDevice | null, request: HelloRequest, epoch: string): HelloAnswer {
  const accepted: HelloAnswer = { reply: { answer: "OK", epoch }, store: true };
  if (!device) return request.mode === "register" ? accepted : { reply: { answer: "UNKNOWN" }, store: false };
  if (device.revoked) return { reply: { answer: "REVOKED" }, store: false };
  const isAncestor = request.boots.includes(device.bootId);
  const isAdopted = request.mode === "adopt" && request.seen === device.bootId;
  return isAncestor || isAdopted ? accepted : { reply: { answer: "COPY", seen: device.bootId }, store: false };
}
