import type { OpenDatabase } from "../database/open-database.ts";
import { listClones } from "./clone-rows.ts";
import { listRepos, readRepo } from "./repo-rows.ts";

/**
 * Where a repository lies on this device, the checkout that was used last first: by its key, or, when its origin is
 * spelled otherwise here, by what is the same for all checkouts of the project. Null when there is none.
 */
export function findCheckout(store: OpenDatabase, repoKey: string, isThere: (path: string) => boolean): string | null {
  const matchKey = readRepo(store, repoKey)?.matchKey;
  const alike = matchKey === undefined ? [] : listRepos(store).filter((repo) => repo.matchKey === matchKey);
  for (const key of [repoKey, ...alike.map((repo) => repo.repoKey)]) {
    const found = listClones(store, key).find(({ path }) => isThere(path));
    if (found !== undefined) return found.path;
  }
  return null;
}
