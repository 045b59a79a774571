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
import { STREAM_PATH } from "./answer-live.ts";

/** What a request is held against. */
export interface Gate {
  /** What people and devices dial. */
  origins: readonly string[];
}

/** Asked by machines that know an address only; they tell nothing but how the server is. */
export const HEALTH_PATHS = ["/livez", "/readyz", "/version"];
/** A push of the largest size in base64url, and what stands around it. */
export const MAX_CALL_BYTES = 4 * 1024 ** 2;
export const MAX_AUTH_BYTES = 16 * 1024;

const SECRET_PARAMETERS = /[?&](?:t|token|access_token|auth|authorization|api_?key|password|code)=/i;

/**
 * Decides whether a request may reach a route: who asks (host, origin, site) comes first, then the address, then method
 * and body. Who calls (token, login) is the routes' to find out.
 */
export function checkRequest(request: RequestFacts, gate: Gate): RequestVerdict {
  const read = readHeaders(request.rawHeaders);
  if (!read.ok) return read;
  const { header } = read;
  const path = pathOf(request.target);
  const health = HEALTH_PATHS.includes(path);
  return (
    (health ? null : checkSender(request.method, header, gate.origins)) ??
    checkTarget(request.target) ??
    checkCall(request.method, path, header) ?? { ok: true }
  );
}

function checkSender(method: string, header: Header, origins: readonly string[]): RequestVerdict | null {
  const host = header("host")?.toLowerCase();
  // A name that somebody else made point here is not ours.
  if (host === undefined || !origins.some((origin) => new URL(origin).host === host)) {
    return refuse(421, "This address is not served here.");
  }
  const foreign = checkOrigin(header, (origin) => origins.includes(origin));
  if (foreign !== null) return foreign;
  // A cookie comes along by itself: whoever means it says where from.
  if (method !== "GET" && header("cookie") !== undefined && header("origin") === undefined)
    return refuse(403, "A request with a login has to name its origin.");
  return checkSite(header);
}

function checkTarget(target: string): RequestVerdict | null {
  // A secret in an address ends up in histories, logs and referrers; it is refused even when it is right.
  if (SECRET_PARAMETERS.test(target)) return refuse(400, "A secret never belongs into an address.");
  return checkPath(target);
}

function checkCall(method: string, path: string, header: Header): RequestVerdict | null {
  const refusal = checkBody(method, header, path.startsWith("/auth/") ? MAX_AUTH_BYTES : MAX_CALL_BYTES);
  if (refusal !== null) return refusal;
  // Every other call is a POST, so that nothing it says is in a URL.
  const callByGet = method === "GET" && /^\/(?:trpc|auth)\//.test(path) && path !== STREAM_PATH;
  return callByGet ? refuse(405, "Calls are POST requests.") : null;
}
