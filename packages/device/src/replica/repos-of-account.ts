import type { RepoView } from "@codehands/api";
import { RECORD_KINDS } from "@codehands/contracts";
import type { DeviceStore } from "../ports/device-store.ts";
import { readObject, textOf } from "./read-json.ts";

/** The repositories that the account's devices know, the last used first. None has a path on a device without checkouts. */
export async function reposOfAccount(store: DeviceStore): Promise<RepoView[]> {
  const counts = new Map<string, number>();
  for (const record of await store.recordsOf(RECORD_KINDS.session)) {
    const repo = record.deleted ? null : readObject(record.body)?.repo;
    const key = typeof repo === "object" && repo !== null && "key" in repo ? repo.key : null;
    if (typeof key === "string") counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (await store.recordsOf(RECORD_KINDS.repo))
    .flatMap((record): RepoView[] => {
      const body = record.deleted ? null : readObject(record.body);
      const key = textOf(body, "repoKey");
      if (body === null || key === null) return [];
      return [
        {
          key,
          name: textOf(body, "name") ?? key,
          remote: textOf(body, "remote"),
          path: null,
          defaultBranch: textOf(body, "defaultBranch"),
          trusted: false,
          sessions: counts.get(key) ?? 0,
          lastUsedAt: textOf(body, "lastUsedAt") ?? "",
        },
      ];
    })
    .sort((a, b) => (a.lastUsedAt < b.lastUsedAt ? 1 : -1));
}
