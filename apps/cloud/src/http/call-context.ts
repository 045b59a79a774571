import type { BlockList } from "node:net";
import type { CloudContext } from "@codehands/api/cloud";
import { clientAddress } from "./client-address.ts";
import type { OpenParts } from "./cloud-app.ts";
import { findCaller } from "./find-caller.ts";

export interface CallFacts {
  headers: Headers;
  /** The other end of the connection. */
  peer: string | undefined;
  trusted: BlockList;
}

/** What a call gets: the ports, who calls, and from where. */
export async function callContext(
  { ports, callers }: OpenParts,
  { headers, peer, trusted }: CallFacts,
): Promise<CloudContext> {
  const address = clientAddress(peer, headers.get("x-forwarded-for") ?? undefined, trusted);
  return { ports, ...(await findCaller(headers, callers)), address };
}
