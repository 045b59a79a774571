/** A remote's address without user name, password and query; null stays null. */
export function remoteWithoutSecrets(remote: string | null): string | null {
  if (remote === null) return null;
  const url = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/]*@)?([^?#]*)/i.exec(remote);
  return url === null ? remote : `${url[1] ?? ""}${url[2] ?? ""}`;
}

/**
 * The same for all checkouts of one project, however each of them writes the address of its origin:
 * `github.com/acme/app`. Without an origin the first commit stands in, and without a commit the key.
 */
export function matchKeyOf(repo: { remote: string | null; rootCommit: string | null; repoKey: string }): string {
  const { remote, rootCommit, repoKey } = repo;
  if (remote === null || !isNetworkAddress(remote)) {
    return rootCommit === null ? `key:${repoKey}` : `root:${rootCommit}`;
  }
  const bare = remote
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^[^/@:]*@/, "")
    .replace(/^([^/:]+):(?:\d+\/)?\/*/, "$1/")
    .replace(/\/+$/, "")
    .replace(/\.git$/i, "");
  const [host = "", ...path] = bare.split("/").filter((part) => part !== "");
  return [host.toLowerCase(), ...path].join("/");
}

function isNetworkAddress(remote: string): boolean {
  if (/^file:/i.test(remote)) return false;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(remote) || /^[^/\\]+:(?!\\)/.test(remote);
}
