/** What a line of the log never shows, each with what stands there instead. */
const MASKS: readonly [RegExp, string][] = [
  [/[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g, "[e-mail]"],
  [/(\bpostgres(?:ql)?:\/\/)[^\s"@/]+@/gi, "$1[login]@"],
  [/\b(Bearer )[\w.~+/=-]+/gi, "$1[token]"],
  [
    /("(?:password|token|secret|cookie|set-cookie|authorization|digits|code_entered)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi,
    '$1"[masked]"',
  ],
  // A login cookie, or the bytes of a token, key, signature or sealed item; ids have dashes, so they stay.
  [/(\bcodehands\.login=)[^\s;"\\]+/g, "$1[login]"],
  [/(?<![\w/.-])[\w-]{43,}(?![\w/.-])/g, "[bytes]"],
];

/** Masks secrets and e-mail addresses in a line of JSON; the line stays JSON. */
export function redactLine(line: string): string {
  return MASKS.reduce((masked, [form, instead]) => masked.replaceAll(form, instead), line);
}
