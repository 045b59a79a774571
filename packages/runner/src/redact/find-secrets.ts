import { findPrivateKeys } from "./find-private-keys.ts";
import { mayHoldSecret } from "./may-hold-secret.ts";
import { SECRET_RULES } from "./secret-rules.ts";

/** A stretch of text, in UTF-16 units, that a rule takes for a secret. */
export interface SecretSpan {
  start: number;
  end: number;
  rule: string;
}

/** True for text that is one JSON value: there quotes and escapes bound every string. */
export function looksLikeJson(text: string): boolean {
  return /^[\s\uFEFF]{0,64}[[{"]/.test(text);
}

/** Every stretch that looks like a secret, unsorted and perhaps overlapping. Time grows linearly with the text. */
export function findSecrets(text: string): SecretSpan[] {
  if (!mayHoldSecret(text)) return [];
  const spans = findPrivateKeys(text, looksLikeJson(text));
  for (const { rule, probe, pattern, accept } of SECRET_RULES) {
    // The patterns look behind at every character; the probes do not.
    if (!probe.test(text)) continue;
    for (const match of text.matchAll(pattern)) {
      const kept = match[1] ?? "";
      const secret = match[2] ?? "";
      if (!accept(secret)) continue;
      const start = match.index + kept.length;
      spans.push({ start, end: start + secret.length, rule });
    }
  }
  return spans;
}
