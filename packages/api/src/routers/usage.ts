import { procedure, router } from "../procedure.ts";
import { usageQuery, usageReport } from "../schemas/device.ts";

/** What the agents used and what it cost, in US dollars. */
export const usage = router({
  report: procedure
    .input(usageQuery)
    .output(usageReport)
    .query(({ ctx, input }) => ctx.ports.usage.report(input)),
});
