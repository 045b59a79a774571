import { type Header, pathOf, type Refusal, refuse } from "./read-request.ts";

const ODD_PATH = /\/\/|\\|%5c|%2f|%00|%25|\/\.{1,2}(?:\/|$)|%2e/i;

/** Who asks, as far as a browser says it: only pages of ours. `isOurs` is asked in lower case; `null` is an origin too. */
export function checkOrigin(header: Header, isOurs: (origin: string) => boolean): Refusal | null {
  const origin = header("origin")?.toLowerCase();
  return origin !== undefined && !isOurs(origin) ? refuse(403, "Requests from other origins are refused.") : null;
}

/** The same by the header that a page cannot forge: a person who typed the address, or a page of this origin. */
export function checkSite(header: Header): Refusal | null {
  const site = header("sec-fetch-site");
  const fine = site === undefined || site === "same-origin" || site === "none";
  return fine ? null : refuse(403, "Requests from other sites are refused.");
}

/** The address: a path of one spelling, so that what is checked is what a route sees. */
export function checkPath(target: string): Refusal | null {
  const fine = target.startsWith("/") && !ODD_PATH.test(pathOf(target));
  return fine ? null : refuse(404, "There is nothing at this address.");
}

/** Method and body: GET without one, POST with JSON of a known length, bounded before it is read. */
export function checkBody(method: string, header: Header, maxBytes: number): Refusal | null {
  const length = header("content-length");
  const chunked = header("transfer-encoding") !== undefined;
  if (method === "GET") {
    const empty = !chunked && (length === undefined || length === "0");
    return empty ? null : refuse(400, "A GET request carries no body.");
  }
  if (method !== "POST") return refuse(405, "Only GET and POST are served.");
  const type = (header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refuse(415, "Only bodies of type application/json are taken.");
  // Without a length a body could grow for ever before anyone counts it.
  if (chunked || length === undefined || !/^\d{1,15}$/.test(length))
    return refuse(411, "A body needs a Content-Length.");
  return Number(length) > maxBytes ? refuse(413, `A body may have ${maxBytes} bytes at most here.`) : null;
}
