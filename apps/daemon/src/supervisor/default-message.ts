const LIMIT = 72;

/** The commit message of an approval: the person's own, else the first line of the prompt, at most 72 characters. */
export function messageOf(message: string | undefined, prompt: string): string {
  return message?.trim() || firstLine(prompt) || "Approved change";
}

/** The first line of a text, at most 72 characters, cut at a word where that is possible. */
export function firstLine(text: string): string {
  const line = (text.trim().split(/\r?\n/, 1)[0] ?? "").trim();
  const letters = [...line];
  if (letters.length <= LIMIT) return line;
  const cut = letters.slice(0, LIMIT - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > LIMIT / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
