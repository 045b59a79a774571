/** What the cloud serves: router, ports, schemas, and the handler of requests. */
import { answerCalls, type CallFault } from "./answer-calls.ts";
import type { CloudContext } from "./cloud-context.ts";
import { CLOUD_ENDPOINT } from "./protocol.ts";
import { accounts } from "./routers/cloud/accounts.ts";
import { cloudRouter, createCloudCallerFactory } from "./routers/cloud/cloud-procedure.ts";
import { devices } from "./routers/cloud/devices.ts";
import { live } from "./routers/cloud/live.ts";
import { pairing } from "./routers/cloud/pairing.ts";
import { roster } from "./routers/cloud/roster.ts";
import { sync } from "./routers/cloud/sync.ts";

export type { CloudContext } from "./cloud-context.ts";
export * from "./cloud-ports.ts";
export * from "./poke-lines.ts";
export * from "./schemas/cloud/device.ts";
export * from "./schemas/cloud/live.ts";
export * from "./schemas/cloud/pairing.ts";
export * from "./schemas/cloud/roster.ts";
export * from "./schemas/cloud/sync.ts";

/** The router of all nouns of the cloud. Its ports and its caller come with the context of each call. */
export function createCloudRouter() {
  return cloudRouter({ accounts, devices, roster, pairing, sync, live });
}

export type CloudRouter = ReturnType<typeof createCloudRouter>;

/** Makes callers in the same process: `createCloudCaller(context).accounts.status()`. */
export const createCloudCaller = createCloudCallerFactory(createCloudRouter());

/** Answers one request below CLOUD_ENDPOINT. Who calls was found out before and stands in the context. */
export function handleCloud(
  request: Request,
  options: { router: CloudRouter; context: CloudContext; onFault?: (fault: CallFault) => void },
): Promise<Response> {
  return answerCalls(request, CLOUD_ENDPOINT, options);
}
