const MAX_SLUG = 40;

/**
 * A short name for a text: lower-case latin letters, digits and single dashes, at most 40 characters,
 * never empty. Accents are dropped; a text without a latin letter or digit becomes "task".
 */
export function slugify(text: string): string {
  const words = text
    .slice(0, 4096)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (words.length <= MAX_SLUG) return words || "task";
  const cut = words.slice(0, MAX_SLUG);
  // At a word's end, unless that would throw most of it away.
  const end = words[MAX_SLUG] === "-" ? MAX_SLUG : cut.lastIndexOf("-");
  return (end > MAX_SLUG / 2 ? cut.slice(0, end) : cut).replace(/-+$/, "");
}

/** The branch of a session: `codehands/<slug>-<first 8 of the session id>`. Always a legal ref name. */
export function branchName(prompt: string, sessionId: string): string {
  return `codehands/${slugify(prompt)}-${sessionId.slice(0, 8)}`;
}
