import { rosterAppended, rosterAppendInput, rosterGetInput, rosterPage } from "../../schemas/cloud/roster.ts";
import { accountProcedure, cloudRouter } from "./cloud-procedure.ts";

/**
 * The signed list of devices (V6–V9). A login may read it and append too: the first statement of a vault and one signed
 * by the recovery key come from a device that has no token yet, and every statement carries its own proof.
 */
export const roster = cloudRouter({
  get: accountProcedure
    .input(rosterGetInput)
    .output(rosterPage)
    .query(({ ctx, input }) => ctx.ports.roster.get(ctx.caller, input)),
  append: accountProcedure
    .input(rosterAppendInput)
    .output(rosterAppended)
    .mutation(({ ctx, input }) => ctx.ports.roster.append(ctx.caller, input)),
});
