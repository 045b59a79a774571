// Follows a session of one of your devices from a program of your own. Run it where @codehands/client is installed:
//
//   node follow-session.mjs https://cloud.example [folder]
//
// The first time it is paired: it shows a code, which you type on a device that is signed in (`codehands pair approve`),
// and then six digits. The folder keeps its keys and what it has synced; the next time it just goes on.
import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { linkDevice, openDevice } from "@codehands/client";
import { openFileStores } from "@codehands/client/files";

const [cloudUrl, folder = join(homedir(), ".follow-session")] = process.argv.slice(2);
const stores = await openFileStores(folder);
const device = openDevice({
  ...stores,
  about: { name: "follow-session", kind: "program", platform: process.platform, version: "1" },
  boot: randomUUID(),
  clock: () => new Date().toISOString(),
});
const client = linkDevice({ device, store: stores.store });

await device.start();
if ((await client.account.status.query()).state === "signed_out") await pair();
await client.sync.now.mutate();

const { sessions } = await client.sessions.list.query({});
for (const session of sessions)
  console.log(`${session.shortId}  ${session.status}  ${session.title}  on ${session.device.name}`);
const [newest] = sessions;
if (newest) await follow(newest);
await device.close();
await stores.close();

async function pair() {
  const begun = await client.pair.begin.mutate({ cloudUrl });
  if (!begun.ok) throw new Error(begun.reason);
  console.log(`On a device that is signed in: codehands pair approve ${begun.userCode}`);
  for (let shown = false; ; await sleep(500)) {
    const now = await client.pair.state.mutate({ pairingId: begun.pairingId });
    if (now.state === "digits" && !shown) shown = !console.log(`It asks for these digits: ${now.digits}`);
    // A program that a person watches would ask here whether that device accepted the digits.
    if (now.state === "let_in") await client.pair.accept.mutate({ pairingId: begun.pairingId });
    if (now.state === "joined") return console.log("Joined.");
    if (now.state === "dead") throw new Error(now.reason);
  }
}

/** Prints a session's events, those that were and each new one, until it waits for a person or has ended. */
async function follow({ id }) {
  let session;
  let seen = 0;
  for await (const { data } of client.sessions.watch.subscribe({ sessionId: id })) {
    if (data.kind === "session") session = data.session;
    else console.log(`${(seen = data.event.seq)} ${data.event.type} ${JSON.stringify(data.event.payload)}`);
    const isOver = !["queued", "running"].includes(session.status) && seen >= session.lastSeq;
    if (isOver) return console.log(`It is ${session.status}.`);
  }
}
