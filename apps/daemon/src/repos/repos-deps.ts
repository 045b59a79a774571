import type { ConfigStore } from "../settings/config-store.ts";
import type { SourcesDeps } from "../settings/read-sources.ts";

/** What the repositories' port stands on. */
export interface ReposDeps extends SourcesDeps {
  config: ConfigStore;
  /** Where the sample repository lies. */
  sampleDirectory: string;
  /** ISO time of now. */
  clock: () => string;
}
