import { decision, procedure, router } from "../procedure.ts";
import { syncIdentity, syncView } from "../schemas/account-device.ts";

/** The exchange with the cloud. */
export const sync = router({
  status: procedure.output(syncView).query(({ ctx }) => ctx.ports.sync.status()),
  now: procedure.output(syncView).mutation(({ ctx }) => ctx.ports.sync.now()),
  pause: decision.output(syncView).mutation(({ ctx }) => ctx.ports.sync.pause()),
  resume: decision.output(syncView).mutation(({ ctx }) => ctx.ports.sync.resume()),
  reset: decision.output(syncView).mutation(({ ctx }) => ctx.ports.sync.reset()),
  acknowledge: decision.output(syncView).mutation(({ ctx }) => ctx.ports.sync.acknowledge()),
  identity: decision
    .input(syncIdentity)
    .output(syncView)
    .mutation(({ ctx, input }) => ctx.ports.sync.identity(input)),
});
