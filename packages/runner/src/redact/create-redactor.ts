import { findSecrets, looksLikeJson, type SecretSpan } from "./find-secrets.ts";
import { jsonPlace } from "./json-place.ts";
import { secretValues } from "./secret-values.ts";

/**
 * Makes the one function that every line passes before it is stored or sent: it masks the secret values of the child's
 * environment and all that looks like a secret. A line of JSON stays a line of JSON. Time grows linearly with the text.
 */
export function createRedactor(env: Readonly<Record<string, string>>): (text: string) => string {
  const values = secretValues(env);
  const inJson = values.flatMap(({ name, escaped }) => escaped.map((form) => ({ form, rule: label(name) })));
  const inText = [
    ...inJson,
    ...values.flatMap(({ name, plain }) => plain.map((form) => ({ form, rule: label(name) }))),
  ];

  return (text) => {
    const json = looksLikeJson(text);
    const spans = findSecrets(text);
    for (const { form, rule } of json ? inJson : inText) {
      for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
        spans.push({ start: at, end: at + form.length, rule });
      }
    }
    return spans.length === 0 ? text : mask({ text, spans, json });
  };
}

const label = (name: string): string => (/^\w{1,64}$/.test(name) ? name : "environment");

function mask(o: { text: string; spans: SecretSpan[]; json: boolean }): string {
  const { text, spans } = o;
  const place = o.json ? jsonPlace(text) : () => "string" as const;
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, rule } of spans) {
    if (end <= at) continue;
    // What overlaps the span before it is one stretch with it.
    const from = Math.max(start, at);
    const where = place(start);
    if (where === "escape") continue;
    parts.push(text.slice(at, from));
    if (where === "outside") parts.push(text.slice(from, end).replace(/[0-9]/g, "1"));
    else if (start >= at) parts.push(`[redacted ${rule}]`);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
