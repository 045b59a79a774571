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
  /** What people and devices dial. */
  origins: readonly string[];
}

export type RequestVerdict = { ok: true } | { ok: false; status: number; message: string };

/** Asked by machines that know an address only; they tell nothing but how the server is. */
export const HEALTH_PATHS = ["/livez", "/readyz", "/version"];
/** The one GET that opens a stream. Every other call is a POST, so that nothing it says is in a URL. */
const STREAM_PATH = "/trpc/live.watch";
/** A push of the largest size in base64url, and what stands around it. */
export const MAX_CALL_BYTES = 4 * 1024 ** 2;
export const MAX_AUTH_BYTES = 16 * 1024;

const SINGLE_HEADERS = [
  "host",
  "origin",
  "sec-fetch-site",
  "authorization",
  "content-type",
  "content-length",
  "cookie",
];
const SECRET_PARAMETERS = /[?&](?:t|token|access_token|auth|authorization|api_?key|password|code)=/i;
const ODD_PATH = /\/\/|\\|%5c|%2f|%00|%25|\/\.{1,2}(?:\/|$)|%2e/i;

/**
 * Decides whether a request may reach a route: who asks (host, origin, site) comes first, then the address, then method
 * and body. Who calls (token, login) is the routes' to find out.
 */
export function checkRequest(request: RequestFacts, gate: Gate): RequestVerdict {
  const headers = collect(request.rawHeaders);
  for (const name of SINGLE_HEADERS) {
    if ((headers.get(name)?.length ?? 0) > 1) return refuse(400, `The header ${name} was sent more than once.`);
  }
  const header = (name: string): string | undefined => headers.get(name)?.[0];
  const path = pathOf(request.target);
  const health = HEALTH_PATHS.includes(path);
  return (
    (health ? null : checkSender(request.method, header, gate.origins)) ??
    checkTarget(request.target) ??
    checkBody(request.method, path, header) ?? { ok: true }
  );
}

type Header = (name: string) => string | undefined;

function checkSender(method: string, header: Header, origins: readonly string[]): RequestVerdict | null {
  const host = header("host")?.toLowerCase();
  // A name that somebody else made point here is not ours.
  if (host === undefined || !origins.some((origin) => new URL(origin).host === host)) {
    return refuse(421, "This address is not served here.");
  }
  const origin = header("origin");
  if (origin !== undefined && !origins.includes(origin.toLowerCase())) {
    return refuse(403, "Requests from other origins are refused.");
  }
  // A cookie comes along by itself: whoever means it says where from.
  if (method !== "GET" && header("cookie") !== undefined && origin === undefined)
    return refuse(403, "A request with a login has to name its origin.");
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    return refuse(403, "Requests from other sites are refused.");
  }
  return null;
}

function checkTarget(target: string): RequestVerdict | null {
  // A secret in an address ends up in histories, logs and referrers; it is refused even when it is right.
  if (SECRET_PARAMETERS.test(target)) return refuse(400, "A secret never belongs into an address.");
  if (!target.startsWith("/") || ODD_PATH.test(pathOf(target))) return refuse(404, "There is nothing at this address.");
  return null;
}

function checkBody(method: string, path: string, header: Header): RequestVerdict | null {
  const length = header("content-length");
  const chunked = header("transfer-encoding") !== undefined;
  if (method === "GET") {
    if (chunked || (length !== undefined && length !== "0")) return refuse(400, "A GET request carries no body.");
    const callByGet = /^\/(?:trpc|auth)\//.test(path) && path !== STREAM_PATH;
    return callByGet ? refuse(405, "Calls are POST requests.") : null;
  }
  if (method !== "POST") return refuse(405, "Only GET and POST are served.");
  const type = (header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refuse(415, "Only bodies of type application/json are taken.");
  // Without a length a body could grow for ever before anyone counts it.
  if (chunked || length === undefined || !/^\d{1,15}$/.test(length))
    return refuse(411, "A body needs a Content-Length.");
  const most = path.startsWith("/auth/") ? MAX_AUTH_BYTES : MAX_CALL_BYTES;
  if (Number(length) > most) return refuse(413, `A body may have ${most} bytes at most here.`);
  return null;
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
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
