import { createHash, timingSafeEqual } from "node:crypto";

/** A request as it came over the wire, before anything parsed or tidied it. */
export interface RequestFacts {
  method: string;
  /** The request target, untouched. */
  target: string;
  /** Names and values in turn, as Node's `rawHeaders` gives them, so that a doubled header is seen. */
  rawHeaders: readonly string[];
}

/** What a request is held against. */
export interface Gate {
  port: number;
  token: string;
  /** Largest body, bytes. */
  maxBodyBytes: number;
}

export type RequestVerdict = { ok: true } | { ok: false; status: number; message: string };

/** Answers without a token: it proves to a client that this is its daemon before the client shows its token. */
export const OPEN_PATH = "/hello";

const SINGLE_HEADERS = ["host", "origin", "sec-fetch-site", "authorization", "content-type", "content-length"];
const TOKEN_PARAMETERS = /[?&](?:t|token|access_token|auth|authorization|api_?key)=/i;
const ODD_PATH = /\/\/|\\|%5c|%2f|%00|%25|\/\.{1,2}(?:\/|$)|%2e/i;

/**
 * Decides whether a request may reach a route. The order is the promise: who asks (host, origin, site)
 * comes first, then the address, then the token, and only a caller with the token learns about methods and bodies.
 */
export function checkRequest(request: RequestFacts, gate: Gate): RequestVerdict {
  const headers = collect(request.rawHeaders);
  for (const name of SINGLE_HEADERS) {
    if ((headers.get(name)?.length ?? 0) > 1) return refuse(400, `The header ${name} was sent more than once.`);
  }
  const header = (name: string): string | undefined => headers.get(name)?.[0];
  return (
    checkSender(header, gate.port) ??
    checkTarget(request.target, gate.token) ??
    checkToken(request.target, header("authorization"), gate.token) ??
    checkBody(request.method, header, gate.maxBodyBytes) ?? { ok: true }
  );
}

type Header = (name: string) => string | undefined;

function checkSender(header: Header, port: number): RequestVerdict | null {
  const host = header("host")?.toLowerCase();
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (host === undefined || !ours.includes(host)) {
    return refuse(403, "This address is not served here.");
  }
  const origin = header("origin");
  // The Host is ours by now, so "our own origin" is exactly the page this host serves: `null` and siblings are not.
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) {
    return refuse(403, "Requests from other origins are refused.");
  }
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    return refuse(403, "Requests from other sites are refused.");
  }
  return null;
}

function checkTarget(target: string, token: string): RequestVerdict | null {
  // A token in an address ends up in histories, logs and referrers; it is refused even when it is right.
  if (TOKEN_PARAMETERS.test(target) || decoded(target).includes(token)) {
    return refuse(400, "A token never belongs into an address. Send it as `Authorization: Bearer`.");
  }
  if (!target.startsWith("/") || ODD_PATH.test(pathOf(target))) return refuse(404, "There is nothing at this address.");
  return null;
}

function checkToken(target: string, authorization: string | undefined, token: string): RequestVerdict | null {
  if (pathOf(target) === OPEN_PATH) return null;
  const given = /^Bearer ([A-Za-z0-9_-]+)$/i.exec(authorization ?? "")?.[1] ?? "";
  if (!sameSecret(given, token)) {
    return refuse(401, "The token in daemon.json is needed: `Authorization: Bearer <token>`.");
  }
  return null;
}

function checkBody(method: string, header: Header, maxBodyBytes: number): RequestVerdict | null {
  const length = header("content-length");
  const chunked = header("transfer-encoding") !== undefined;
  if (method === "GET") {
    return chunked || (length !== undefined && length !== "0") ? refuse(400, "A GET request carries no body.") : null;
  }
  if (method !== "POST") return refuse(405, "Only GET and POST are served.");
  const type = (header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refuse(415, "Only bodies of type application/json are taken.");
  // Without a length a body could grow for ever before anyone counts it.
  if (chunked || length === undefined || !/^\d{1,15}$/.test(length)) {
    return refuse(411, "A body needs a Content-Length.");
  }
  if (Number(length) > maxBodyBytes) return refuse(413, `A body may have ${maxBodyBytes} bytes at most.`);
  return null;
}

function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

function collect(rawHeaders: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  return headers;
}

function refuse(status: number, message: string): RequestVerdict {
  return { ok: false, status, message };
}
