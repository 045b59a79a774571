import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { type CliError, usageError } from "../cli-error.ts";
import { askLine } from "../terminal/ask.ts";

/**
 * The cloud that is meant: `--server`, else the one this device is with, else the setting `cloud.url`, else what the
 * person answers. Throws a usage error without one.
 */
export async function cloudAddress(cli: Cli, client: LocalClient, given: string | undefined): Promise<string> {
  const known = given ?? (await client.account.status.query()).cloudUrl ?? (await settingOf(client));
  const address = known ?? (cli.canAsk ? await askLine(cli, "Address of the cloud:") : null);
  if (address === null || address.trim() === "") {
    throw usageError("There is no cloud to go to. Name one with --server <url>, or set it once.", SET_ONCE);
  }
  const origin = cloudOrigin(address.trim());
  if (origin === null) throw notAnAddress(address.trim());
  if (!isPrivate(origin)) {
    cli.output.warn(`${origin} is not encrypted: somebody on the way could read a password that is sent. Use https.`);
  }
  return origin;
}

const SET_ONCE = "codehands config set cloud.url https://hands.example.org";

async function settingOf(client: LocalClient): Promise<string | null> {
  const entry = await client.settings.get.query({ key: "cloud.url" });
  return typeof entry?.value === "string" ? entry.value : null;
}

/** The origin of a cloud's address; null for what is none, and for one that carries a name or a path. */
export function cloudOrigin(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { origin, username, password, pathname, search, hash } = new URL(address);
  const isPlain = username === "" && password === "" && pathname === "/" && search === "" && hash === "";
  return isPlain ? origin : null;
}

/** True where nobody on the way can read along: https, or a cloud on this machine. */
function isPrivate(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}

function notAnAddress(address: string): CliError {
  return usageError(`'${address}' is not the address of a cloud. It looks like https://hands.example.org.`, SET_ONCE);
}
