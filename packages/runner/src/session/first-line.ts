/** The first line of a text, at most `limit` characters, cut at a word where there is one. */
export function firstLine(text: string, limit = 72): string {
  const line = (text.trim().split(/\r?\n/, 1)[0] ?? "").trim();
  if ([...line].length <= limit) return line;
  const cut = [...line].slice(0, limit - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
