/** A text longer than this is cut in its middle: the whole of a pasted log does not make a goal any clearer. */
export const MOST_TEXT = 32 * 1024;

/**
 * A copy that holds on to nothing else: a piece of a string keeps all of it in memory. What is too long loses its middle,
 * and half characters become U+FFFD, since no packet may hold them.
 */
export function ownText(text: string, most = MOST_TEXT): string {
  if (text.length <= most) return Buffer.from(text, "utf8").toString("utf8");
  const head = Math.floor(most * 0.75);
  const tail = most - head;
  const cut = `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
  return Buffer.from(cut, "utf8").toString("utf8");
}
