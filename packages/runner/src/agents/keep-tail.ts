/** At most this much of a command's output goes into an event. */
export const OUTPUT_CAP = 64 * 1024;

/** The last `cap` bytes of a text as UTF-8, cut at a whole character; `truncated` says whether anything was left out. */
export function keepTail(text: string, cap: number = OUTPUT_CAP): { text: string; truncated: boolean } {
  // A UTF-16 unit is at most three bytes of UTF-8, so most texts need no measuring.
  if (text.length * 3 <= cap) return { text, truncated: false };
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= cap) return { text, truncated: false };
  let from = bytes.length - cap;
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return { text: bytes.toString("utf8", from), truncated: true };
}
