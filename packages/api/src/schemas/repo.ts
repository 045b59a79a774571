import * as z from "zod";

export const repoView = z.object({
  key: z.string(),
  name: z.string(),
  remote: z.string().nullable(),
  path: z.string().nullable(),
  defaultBranch: z.string().nullable(),
  /** Whether the person trusts the settings the repository has now. */
  trusted: z.boolean(),
  sessions: z.number(),
  lastUsedAt: z.string(),
});
export type RepoView = z.infer<typeof repoView>;

/** What a repository's own settings file asks for, shown before a person trusts it. */
export const repoTrust = z.object({
  key: z.string(),
  hash: z.string().nullable(),
  trusted: z.boolean(),
  file: z.string().nullable(),
  settings: z.looseObject({}).nullable(),
});
export type RepoTrust = z.infer<typeof repoTrust>;

/** The sample repository; `kept`: as it was, `reset`: its bug is back by a commit on top of what was there. */
export const sampleRepoView = z.object({
  path: z.string(),
  commit: z.string(),
  state: z.enum(["made", "kept", "reset"]),
});
export type SampleRepoView = z.infer<typeof sampleRepoView>;

const path = z.string().min(1).max(4_096);
export const repoList = z.array(repoView);
export const repoByPath = z.object({ path });
export const trustInput = z.object({ path, hash: z.string().min(1).max(200) });
export const trustAnswer = z.object({ ok: z.boolean(), state: repoTrust });
export const relocateInput = z.object({ from: path, to: path });
export const relocateAnswer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), repo: repoView }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);
