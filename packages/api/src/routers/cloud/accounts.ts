import { accountView } from "../../schemas/cloud/device.ts";
import { accountProcedure, cloudRouter } from "./cloud-procedure.ts";

/** The account behind a login or a device. Signing up and logging in are better-auth's, below /auth. */
export const accounts = cloudRouter({
  status: accountProcedure.output(accountView).query(({ ctx }) => ctx.ports.accounts.status(ctx.caller)),
});
