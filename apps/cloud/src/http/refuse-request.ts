import type { ServerResponse } from "node:http";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** Answers a refused request and ends its connection: what may still come of its body is never read. */
export function refuseRequest(outgoing: ServerResponse, refusal: { status: number; message: string }): void {
  const body = JSON.stringify({ error: refusal.message });
  outgoing.writeHead(refusal.status, {
    ...SECURITY_HEADERS,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  outgoing.end(body);
}
