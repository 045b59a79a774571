import type { SecretSpan } from "./find-secrets.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = "-----END ";
/** Longer than any private key in text form (an RSA key of 16,384 bits has about 13 KB). */
const LONGEST = 32_768;
const SHORTEST = 40;

/** Where the bodies of PEM private keys stand, with or without their end mark. In JSON a body stops at the string's end. */
export function findPrivateKeys(text: string, json: boolean): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const begins = [...text.matchAll(BEGIN)];
  let end = -2;
  for (const [index, begin] of begins.entries()) {
    const from = begin.index + begin[0].length;
    // The next end mark is looked for once per mark passed, not once per beginning: linear on a text full of beginnings.
    if (end !== -1 && end < from) end = text.indexOf(END, from);
    const next = begins[index + 1]?.index ?? text.length;
    const closed = end !== -1 && end < next && end - from <= LONGEST;
    const to = closed ? closedBody({ text, from, end, json }) : openBody(text, from);
    const body =
      text
        .slice(from, to)
        .replace(/\\[nrt]/g, "")
        .match(/[A-Za-z0-9+/=]/g)?.length ?? 0;
    if (body >= SHORTEST) spans.push({ start: from, end: to, rule: "private-key" });
  }
  return spans;
}

function closedBody(o: { text: string; from: number; end: number; json: boolean }): number {
  if (!o.json) return o.end;
  const inString = /^(?:[^"\\]|\\[\s\S])*/.exec(o.text.slice(o.from, o.end));
  return o.from + (inString?.[0].length ?? 0);
}

function openBody(text: string, from: number): number {
  const body = /^(?:[A-Za-z0-9+/=\s|→]|\\+[nrt])*/.exec(text.slice(from, from + LONGEST));
  return from + (body?.[0].length ?? 0);
}
