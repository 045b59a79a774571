import { networkInterfaces } from "node:os";
import type { LocalClient } from "@codehands/api/client";
import type { ExitCode } from "../exit-code.ts";
import { type CliWorld, runCli } from "../run-cli.ts";
import { openCloud } from "./open-cloud.ts";
import { ownAddress } from "./own-address.ts";

/** The cloud's port when the environment names no other; told to other computers, so it stays the same. */
const PORT = "8787";

export interface Sharing {
  world: CliWorld;
  client: LocalClient;
  home: string;
  environment: Record<string, string>;
  say: (text: string) => void;
}

/**
 * Runs a cloud of this machine's own until it is told to end, makes this device the first of an account there, and says
 * how another computer joins. The cloud reads nothing of what it carries; its data stays in the home.
 */
export async function shareByCloud({ world, client, home, environment, say }: Sharing): Promise<ExitCode> {
  const account = await client.account.status.query();
  const port = Number(environment["CODEHANDS_CLOUD_PORT"] ?? PORT);
  const loopback = `http://127.0.0.1:${port}`;
  if (account.cloudUrl !== null && account.cloudUrl !== loopback) {
    say(`This device is with the cloud ${account.cloudUrl} already: another computer joins there.`);
    say(joinLines(account.cloudUrl));
    return 0;
  }
  say("Starting a cloud on this machine.");
  const cloud = await openCloud(`${home}/cloud`, environment, { host: "0.0.0.0", port });
  // Ctrl-C reaches the cloud by the terminal and ends it in order; then this ends as well.
  const giveBack = world.onInterrupt(() => undefined);
  try {
    if (account.state === "signed_out") await signUp(world, { url: cloud.url, say });
    const address = ownAddress(networkInterfaces());
    say(joinLines(`http://${address ?? "127.0.0.1"}:${cloud.port}`));
    if (address === null) say("This machine is in no network at the moment: only it can reach the cloud.");
    say(`The cloud runs until Ctrl-C. Its data stays in ${home}/cloud, and this command finds it again.`);
    await cloud.ended;
    return 0;
  } finally {
    giveBack();
    await cloud.stop();
  }
}

/** A person answers; a program is told the command, and the cloud runs on for it. */
async function signUp(world: CliWorld, { url, say }: { url: string; say: (text: string) => void }): Promise<void> {
  const exitCode = process.stdin.isTTY ? await runCli({ ...world, words: ["signup", "--server", url] }) : 2;
  if (exitCode === 0) return;
  say("This device is in no account yet. In another terminal:");
  say(`  codehands signup --server ${url}`);
}

const joinLines = (url: string): string =>
  [
    "",
    "On the other computer:",
    `  codehands pair --server ${url}`,
    "Then here, with the code that it shows:",
    "  codehands pair approve CODE",
    "A phone needs an https address: see the operator's guide, or `codehands serve --tls CERT KEY`.",
    "",
  ].join("\n");
