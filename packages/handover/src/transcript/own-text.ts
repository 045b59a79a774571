/** A text longer than this is cut in its middle: the whole of a pasted log does not make a goal any clearer. */
export const MOST_TEXT = 32 * 1024;
/** What the words for the cut may take, so that a cut text is not cut again. */
const NOTICE = 64;

/**
 * A copy that holds on to nothing else: a piece of a string keeps all of it in memory. What is too long loses its middle,
 * and half characters become U+FFFD, since no packet may hold them.
 */
export function ownText(text: string, most = MOST_TEXT): string {
  return Buffer.from(shortText(text, most), "utf8").toString("utf8");
}

/** The text, without its middle when it is too long. Unless it was cut it is the text itself. */
export function shortText(text: string, most = MOST_TEXT): string {
  if (text.length <= most + NOTICE) return text;
  const head = Math.floor(most * 0.75);
  const tail = most - head;
  const cut = `${text.slice(0, head)}\n[… ${text.length - most} characters left out …]\n${text.slice(-tail)}`;
  // As a copy: the parts would hold all of it.
  return Buffer.from(cut, "utf8").toString("utf8");
}
