import { SECURITY_HEADERS } from "./security-headers.ts";

/** What an answer is written to, as Node's `ServerResponse` has it. */
export interface Outgoing {
  writeHead: (status: number, headers: Record<string, string | number>) => unknown;
  end: (body: string) => unknown;
}

/** Answers a refused request and ends its connection: what may still come of its body is never read. */
export function refuseRequest(outgoing: Outgoing, refusal: { status: number; message: string }): void {
  const body = JSON.stringify({ error: refusal.message });
  outgoing.writeHead(refusal.status, {
    ...SECURITY_HEADERS,
    ...(refusal.status === 401 ? { "www-authenticate": "Bearer" } : {}),
    "content-type": "application/json",
    "content-length": new TextEncoder().encode(body).length,
    connection: "close",
  });
  outgoing.end(body);
}
