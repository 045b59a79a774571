import type { AgentKind } from "@codehands/contracts";
import type { OpenDatabase } from "../database/open-database.ts";
import { type IdentifyDeps, identifyRepo, type RepoIdentity } from "../repos/identify-repo.ts";
import { readRepo } from "../repos/repo-rows.ts";
import type { ConfigFile } from "./config-schema.ts";
import type { SettingSources } from "./decide-setting.ts";
import { readPreferences } from "./read-preferences.ts";
import { type RepositoryReading, readRepository } from "./read-repository.ts";

export interface SourcesDeps extends IdentifyDeps {
  store: OpenDatabase;
  agentCommands: Partial<Record<AgentKind, readonly string[]>>;
  worktrees: string;
}

export interface ReadSources {
  sources: SettingSources;
  /** Null when no repository was asked for. */
  identity: RepoIdentity | null;
  /** Null without a repository, and when its base commit is not there. */
  reading: RepositoryReading | null;
  /** The ref that the flag or the person's own settings name. */
  namedBase: string | undefined;
}

/** Gathers all that may set something: for a repository, or without one (null). */
export async function readSources(
  deps: SourcesDeps,
  from: { file: ConfigFile; repoPath: string | null; base?: string | undefined },
): Promise<ReadSources> {
  const accountPreferences = readPreferences(deps.store, "account");
  const plain = { agentCommands: deps.agentCommands, worktrees: deps.worktrees, file: from.file, accountPreferences };
  const identity = from.repoPath === null ? null : await identifyRepo(from.repoPath, deps);
  if (identity === null || !identity.ok) {
    const sources = { ...plain, repoPreferences: {}, repository: null, trusted: false };
    return { sources, identity, reading: null, namedBase: from.base };
  }
  const { repoKey, path } = identity.clone;
  const repoPreferences = readPreferences(deps.store, repoKey);
  const namedBase = from.base ?? from.file.base ?? repoPreferences.base ?? accountPreferences.base;
  const reading = await readRepository({ git: deps.git, folder: path, base: namedBase });
  const trusted = isTrusted(readRepo(deps.store, repoKey)?.trustedHash ?? null, reading?.hash ?? null);
  const sources = { ...plain, repoPreferences, repository: reading?.settings ?? null, trusted };
  return { sources, identity, reading, namedBase };
}

/** Trust counts for exactly the content it was given for; where there is nothing to trust, nothing is trusted. */
export function isTrusted(trustedHash: string | null, hash: string | null): boolean {
  return hash !== null && trustedHash === hash;
}
