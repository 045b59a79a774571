import type { Credentials } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { Flags } from "../program/flags.ts";
import { askLine } from "../terminal/ask.ts";
import { askNewPassword } from "../terminal/ask-new-password.ts";
import { askSecret } from "../terminal/ask-secret.ts";
import { readLine } from "../terminal/read-line.ts";
import { cloudAddress } from "./cloud-address.ts";

/**
 * Which cloud, which person and the password. The password comes from the terminal, where it is not shown, or as a
 * line of stdin; never from an argument or the environment. `isNew` asks for it twice.
 */
export async function readCredentials(
  cli: Cli,
  client: LocalClient,
  o: { flags: Flags; isNew?: boolean },
): Promise<Credentials> {
  const fromStdin = o.flags.on("passwordStdin");
  if (!fromStdin && !cli.canAsk) {
    throw usageError("There is nobody to ask for the password. Give it on stdin with --password-stdin.");
  }
  const asking = fromStdin ? { ...cli, canAsk: false } : cli;
  const cloudUrl = await cloudAddress(asking, client, o.flags.text("server"));
  const email = await emailOf(asking, client, o.flags.text("email"));
  const password = fromStdin ? await readLine(cli.stdin) : await askPassword(cli, o.isNew === true);
  if (password === null || password === "") throw usageError("There is no password.");
  return { cloudUrl, email, password };
}

async function emailOf(cli: Cli, client: LocalClient, given: string | undefined): Promise<string> {
  const known = given ?? (await client.account.status.query()).email;
  const email = (known ?? (cli.canAsk ? await askLine(cli, "E-mail:") : null))?.trim() ?? "";
  if (email === "") throw usageError("Say who you are with --email <address>.");
  if (!/^\S+@\S+$/.test(email)) throw usageError(`'${email}' is not an e-mail address.`);
  return email;
}

function askPassword(cli: Cli, isNew: boolean): Promise<string | null> {
  const question = "Password:";
  if (!isNew) return askSecret(cli, question);
  return askNewPassword(cli, { question, unequal: "Nothing was sent.", hint: "codehands signup" });
}
