/** A sealed record holds 256 KB; a prompt may have a megabyte, which no list shows. */
const MOST_BYTES = 64 * 1024;

/** A prompt as it stands in a record: whole, or its beginning with a mark that says so. Its owner keeps all of it. */
export function cutPrompt(prompt: string): string {
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= MOST_BYTES) return prompt;
  // The last character may be cut in two: what is left of it goes.
  const text = Buffer.from(prompt)
    .subarray(0, MOST_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  return `${text}\n… (cut: ${bytes} bytes)`;
}
