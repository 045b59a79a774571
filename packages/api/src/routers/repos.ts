import { decision, procedure, router } from "../procedure.ts";
import {
  relocateAnswer,
  relocateInput,
  repoByPath,
  repoList,
  repoTrust,
  sampleRepoView,
  trustAnswer,
  trustInput,
} from "../schemas/repo.ts";

/** Repositories, and whether the person trusts the settings they bring. */
export const repos = router({
  list: procedure.output(repoList).query(({ ctx }) => ctx.ports.repos.list()),
  trustState: procedure
    .input(repoByPath)
    .output(repoTrust)
    .query(({ ctx, input }) => ctx.ports.repos.trustState(input.path)),
  trust: decision
    .input(trustInput)
    .output(trustAnswer)
    .mutation(({ ctx, input }) => ctx.ports.repos.trust(input.path, input.hash)),
  untrust: decision
    .input(repoByPath)
    .output(repoTrust)
    .mutation(({ ctx, input }) => ctx.ports.repos.untrust(input.path)),
  sample: procedure.output(sampleRepoView).mutation(({ ctx }) => ctx.ports.repos.sample()),
  // Approvals go where a repository is said to lie, so this is a decision as well.
  relocate: decision
    .input(relocateInput)
    .output(relocateAnswer)
    .mutation(({ ctx, input }) => ctx.ports.repos.relocate(input.from, input.to)),
});
