import { decision, procedure, router } from "../procedure.ts";
import {
  accountView,
  credentials,
  loggedOut,
  logOutInput,
  recovered,
  recoverInput,
  renewedCode,
  signedUp,
} from "../schemas/account.ts";

/** The account of this device. Whatever changes it is a person's decision. */
export const account = router({
  status: procedure.output(accountView).query(({ ctx }) => ctx.ports.account.status()),
  signUp: decision
    .input(credentials)
    .output(signedUp)
    .mutation(({ ctx, input }) => ctx.ports.account.signUp(input)),
  logIn: decision
    .input(credentials)
    .output(signedUp)
    .mutation(({ ctx, input }) => ctx.ports.account.logIn(input)),
  logOut: decision
    .input(logOutInput)
    .output(loggedOut)
    .mutation(({ ctx, input }) => ctx.ports.account.logOut(input)),
  recover: decision
    .input(recoverInput)
    .output(recovered)
    .mutation(({ ctx, input }) => ctx.ports.account.recover(input)),
  renewCode: decision.output(renewedCode).mutation(({ ctx }) => ctx.ports.account.renewCode()),
});
