/** A request as it came over the wire, before anything parsed or tidied it. */
export interface RequestFacts {
  method: string;
  /** The request target, untouched. */
  target: string;
  /** Names and values in turn, as Node's `rawHeaders` gives them, so that a doubled header is seen. */
  rawHeaders: readonly string[];
}

export interface Refusal {
  ok: false;
  status: number;
  message: string;
}
export type RequestVerdict = { ok: true } | Refusal;

/** The value of a header by its name in lower case. */
export type Header = (name: string) => string | undefined;

/** Headers that decide something: twice is a contradiction. */
const SINGLE_HEADERS = [
  "host",
  "origin",
  "sec-fetch-site",
  "authorization",
  "content-type",
  "content-length",
  "cookie",
];

export function refuse(status: number, message: string): Refusal {
  return { ok: false, status, message };
}

/** Looks headers up; refuses a request that says one of those that decide something twice. */
export function readHeaders(rawHeaders: readonly string[]): { ok: true; header: Header } | Refusal {
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), rawHeaders[index + 1] ?? ""]);
  }
  const doubled = SINGLE_HEADERS.find((name) => (headers.get(name)?.length ?? 0) > 1);
  if (doubled !== undefined) return refuse(400, `The header ${doubled} was sent more than once.`);
  return { ok: true, header: (name) => headers.get(name)?.[0] };
}

/** A request target without its query. */
export function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}
