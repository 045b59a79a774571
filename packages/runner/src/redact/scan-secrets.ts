import { findSecrets } from "./find-secrets.ts";

/** One place in a text that looks like a secret. */
export interface SecretFinding {
  /** Counted from 1. */
  line: number;
  rule: string;
}

/** Lines that hold something which looks like a secret, each line and rule once, in order. Never returns the secret itself. */
export function scanSecrets(text: string): SecretFinding[] {
  const spans = findSecrets(text).sort((a, b) => a.start - b.start || b.end - a.end);
  const findings: SecretFinding[] = [];
  let line = 1;
  let at = 0;
  let covered = 0;
  for (const span of spans) {
    // A more exact rule has already named this stretch.
    if (span.end <= covered) continue;
    covered = span.end;
    for (let next = text.indexOf("\n", at); next !== -1 && next < span.start; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    const last = findings.at(-1);
    if (last?.line !== line || last.rule !== span.rule) findings.push({ line, rule: span.rule });
  }
  return findings;
}
