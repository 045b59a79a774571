import type { AccountPort } from "@codehands/api";
import { signUp } from "@codehands/api/cloud-client";
import type { DeviceHome } from "../home.ts";
import { accountView } from "./account-view.ts";
import { enterAccount } from "./enter-account.ts";
import { logOut } from "./log-out.ts";
import { recoverAccount } from "./recover-account.ts";
import { answered, refuse } from "./refuse-account.ts";
import { replaceCode } from "./replace-code.ts";
import { withLogin } from "./with-login.ts";

const SIGNED_IN = "This device is signed in already. Sign out first; nothing was changed.";

/** The account of this device. What changes it happens one after the other. */
export function createAccountPort(home: DeviceHome): AccountPort {
  const isIn = (): boolean => home.member !== null || home.broken !== null;
  return {
    status: async () => accountView(home),

    signUp: (input) =>
      home.inTurn(() =>
        answered(async () => {
          if (isIn()) return refuse("signed_in_already", SIGNED_IN);
          const { cloudUrl, email, password } = input;
          // The answer is the same for an address that is taken: then the password decides.
          await signUp(cloudUrl, { email, password }, home.options.fetch);
          return withLogin(input, home.options, (client) => enterAccount(home, input, client));
        }),
      ),

    logIn: (input) =>
      home.inTurn(() =>
        answered(async () => {
          if (isIn()) return refuse("signed_in_already", SIGNED_IN);
          return withLogin(input, home.options, (client) => enterAccount(home, input, client));
        }),
      ),

    recover: (input) =>
      home.inTurn(() =>
        answered(async () => {
          if (isIn()) return refuse("signed_in_already", SIGNED_IN);
          return recoverAccount(home, input);
        }),
      ),

    renewCode: () => home.inTurn(() => answered(() => replaceCode(home))),

    logOut: (input) => home.inTurn(() => logOut(home, input)),
  };
}
