/**
 * A path as a packet holds it: with slashes, relative to the session's folder. Null for one outside of it, and for an
 * absolute one when the folder is not known: it would mean nothing on another machine.
 */
export function relativePath(path: string, cwd: string | null): string | null {
  const slashed = slashes(path);
  if (slashed === "" || slashed.includes("\0")) return null;
  if (!isAbsolute(slashed)) return clean(slashed);
  if (cwd === null) return null;
  const root = slashes(cwd).replace(/\/{1,10}$/, "");
  return slashed.startsWith(`${root}/`) ? clean(slashed.slice(root.length + 1)) : null;
}

const slashes = (path: string): string =>
  /^[A-Za-z]:\\/.test(path) || !path.includes("/") ? path.replaceAll("\\", "/") : path;
const isAbsolute = (path: string): boolean => path.startsWith("/") || /^[A-Za-z]:\//.test(path);

function clean(path: string): string | null {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? null : parts.join("/");
}
