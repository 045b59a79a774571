import type { LocalClient } from "@codehands/api/client";
import { accountError } from "./account-error.ts";

/** Throws with exit code 5 on a device that is a member of an account. `hint` is the command that helps there. */
export async function refuseSignedIn(client: LocalClient, hint = "codehands whoami"): Promise<void> {
  const { state, email, cloudUrl } = await client.account.status.query();
  if (state !== "active") return;
  const whose = [email === null ? "" : ` as ${email}`, cloudUrl === null ? "" : ` at ${cloudUrl}`].join("");
  const reason = `This device is signed in already${whose}. Sign out first to use another account.`;
  throw accountError({ code: "signed_in_already", reason }, hint);
}
