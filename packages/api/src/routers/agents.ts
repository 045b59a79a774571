import { procedure, router } from "../procedure.ts";
import { agentList } from "../schemas/device.ts";
import { agentKind } from "../schemas/session.ts";
import { settingsInRepo } from "../schemas/settings.ts";

/** The agents this device can run. */
export const agents = router({
  list: procedure.output(agentList).query(({ ctx }) => ctx.ports.agents.list()),
  preferred: procedure
    .input(settingsInRepo)
    .output(agentKind)
    .query(({ ctx, input }) => ctx.ports.agents.preferred(input.repoPath)),
});
