import type { ReposPort, RepoTrust, RepoView } from "@codehands/api";
import { makeSampleRepo } from "@codehands/runner";
import type { OpenDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { type ReadSources, readSources } from "../settings/read-sources.ts";
import { listClones, touchClone } from "./clone-rows.ts";
import { createRelocate } from "./relocate-repo.ts";
import { listRepos, type RepoRow, readRepo, setTrustedHash, touchRepo } from "./repo-rows.ts";
import type { ReposDeps } from "./repos-deps.ts";

type FoundRepo = ReadSources & { identity: Extract<ReadSources["identity"], { ok: true }> };

/** The repositories of this device, and what a person trusts in them. */
export function createRepos(deps: ReposDeps): ReposPort {
  const { store } = deps;
  const relocate = createRelocate(deps);

  async function look(path: string): Promise<FoundRepo> {
    await deps.config.read();
    const read = await readSources(deps, { file: deps.config.current(), repoPath: path });
    const { identity } = read;
    if (identity === null || !identity.ok) {
      throw new DaemonError("not_found", identity?.reason ?? `There is no repository at ${path}.`);
    }
    return { ...read, identity };
  }

  async function view(row: RepoRow): Promise<RepoView> {
    const path = listClones(store, row.repoKey)[0]?.path ?? null;
    return {
      key: row.repoKey,
      name: row.name,
      remote: row.remote,
      path,
      defaultBranch: row.defaultBranch,
      // Without trust there is nothing to compare, and no git to start.
      trusted:
        row.trustedHash !== null &&
        path !== null &&
        (await look(path).then(
          (read) => read.sources.trusted,
          () => false,
        )),
      sessions: countSessions(store, row.repoKey),
      lastUsedAt: row.lastUsedAt,
    };
  }

  return {
    list: () => Promise.all(listRepos(store).map(view)),
    trustState: async (path) => stateOf(await look(path)),
    async trust(path, hash) {
      const read = await look(path);
      if (read.reading?.hash !== hash) return { ok: false, state: stateOf(read) };
      const { repo, clone } = read.identity;
      inTransaction(store, (tx) => {
        touchRepo(tx, repo, deps.clock());
        touchClone(tx, clone, deps.clock());
        setTrustedHash(tx, repo.repoKey, hash);
      });
      return { ok: true, state: stateOf(await look(path)) };
    },
    async untrust(path) {
      const read = await look(path);
      inTransaction(store, (tx) => {
        setTrustedHash(tx, read.identity.repo.repoKey, null);
      });
      return stateOf(await look(path));
    },
    async sample() {
      const { directory, commit, state } = await makeSampleRepo(deps.sampleDirectory);
      return { path: directory, commit, state };
    },
    async relocate(from, to) {
      const moved = await relocate(from, to);
      if (!moved.ok) return moved;
      const row = readRepo(store, moved.repoKey);
      if (row === undefined) throw new DaemonError("not_found", `There is no repository ${moved.repoKey}.`);
      return { ok: true, repo: await view(row) };
    },
  };
}

function stateOf({ reading, sources, identity }: FoundRepo): RepoTrust {
  const files = reading?.files ?? [];
  return {
    key: identity.repo.repoKey,
    hash: reading?.hash ?? null,
    trusted: sources.trusted,
    file: files.length === 0 ? null : files.map((file) => file.name).join(", "),
    settings: files.length === 0 ? null : Object.fromEntries(files.map(({ name, text }) => [name, shown(text)])),
  };
}

/** What a person has to see of a file: its content, or its text when it is no JSON. */
function shown(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function countSessions(store: OpenDatabase, repoKey: string): number {
  return store.prepare("select count(*) from sessions where repo_key = ?").pluck().get(repoKey) as number;
}
