import { createHash, timingSafeEqual } from "node:crypto";
import {
  checkBody,
  checkOrigin,
  checkPath,
  checkSite,
  type Header,
  pathOf,
  type RequestFacts,
  type RequestVerdict,
  readHeaders,
  refuse,
} from "@codehands/api/http";

/** What a request is held against. */
export interface Gate {
  port: number;
  token: string;
  /** Largest body, bytes. */
  maxBodyBytes: number;
}

/** Answers without a token: it proves to a client that this is its daemon before the client shows its token. */
export const OPEN_PATH = "/hello";

const TOKEN_PARAMETERS = /[?&](?:t|token|access_token|auth|authorization|api_?key)=/i;

/**
 * Decides whether a request may reach a route. The order is the promise: who asks (host, origin, site)
 * comes first, then the address, then the token, and only a caller with the token learns about methods and bodies.
 */
export function checkRequest(request: RequestFacts, gate: Gate): RequestVerdict {
  const read = readHeaders(request.rawHeaders);
  if (!read.ok) return read;
  const { header } = read;
  return (
    checkSender(header, gate.port) ??
    checkTarget(request.target, gate.token) ??
    checkToken(request.target, header("authorization"), gate.token) ??
    checkBody(request.method, header, gate.maxBodyBytes) ?? { ok: true }
  );
}

function checkSender(header: Header, port: number): RequestVerdict | null {
  const host = header("host")?.toLowerCase();
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (host === undefined || !ours.includes(host)) {
    return refuse(403, "This address is not served here.");
  }
  // The Host is ours by now, so "our own origin" is exactly the page this host serves: `null` and siblings are not.
  return checkOrigin(header, (origin) => origin === `http://${host}`) ?? checkSite(header);
}

function checkTarget(target: string, token: string): RequestVerdict | null {
  // A token in an address ends up in histories, logs and referrers; it is refused even when it is right.
  if (TOKEN_PARAMETERS.test(target) || decoded(target).includes(token)) {
    return refuse(400, "A token never belongs into an address. Send it as `Authorization: Bearer`.");
  }
  return checkPath(target);
}

function checkToken(target: string, authorization: string | undefined, token: string): RequestVerdict | null {
  if (pathOf(target) === OPEN_PATH) return null;
  const given = /^Bearer ([A-Za-z0-9_-]+)$/i.exec(authorization ?? "")?.[1] ?? "";
  if (!sameSecret(given, token)) {
    return refuse(401, "The token in daemon.json is needed: `Authorization: Bearer <token>`.");
  }
  return null;
}

function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
