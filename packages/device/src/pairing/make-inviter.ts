import type { FoundPairing, LookUpPairing } from "@codehands/api";
import type { LookedUpPairing } from "@codehands/api/cloud";
import {
  fromBase64url,
  makeOffer,
  type PairingFound,
  readQr,
  readUserCode,
  uuidBytes,
  uuidText,
} from "@codehands/vault";
import { seenMarks } from "../device-record/find-suspicions.ts";
import type { DeviceHome } from "../home.ts";
import { InviterSide } from "./inviter-side.ts";
import { type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

export interface MadeInviter {
  side: InviterSide;
  found: Extract<FoundPairing, { ok: true }>;
  /** As whom it lets in. */
  member: DeviceHome["member"];
}

/** How a pairing is found: by a code, by a QR, or by what the cloud said of an invitation. */
export type AskedPairing = LookUpPairing | { invited: LookedUpPairing };

/** Finds the pairing that is meant, and makes the offer for it: with a nonce of its own, once. */
export async function makeInviter(home: DeviceHome, input: AskedPairing): Promise<MadeInviter | PairingRefusal> {
  const { member, loop, options } = home;
  if (!member || !loop) return refusePairing("no_account", "This device is not signed in.");
  if (!member.roles.includes("admin")) return refusePairing("NOT_ALLOWED", "This device may let no other one in.");
  const named = await nameOf(home, member.account.cloudUrl, input);
  if (!named.ok) return named;
  await loop.pullRoster();
  const offer = await makeOffer({ id: member.id, keys: member.keys, roster: member.roster }, named.pairing);
  if (!offer.ok) return refusePairing(offer.code);
  const handOver = async () => ({
    seen: await seenMarks(await options.store.allRecords(), loop.facts, ""),
    account: { label: (member.account.email ?? "").slice(0, 200), letInBy: await ownName(home) },
  });
  const deps = { member, loop, approver: { clock: options.clock, handOver } };
  return { side: new InviterSide(deps, named.found.pairingId, offer.value), found: named.found, member };
}

type Named = { ok: true; pairing: PairingFound; found: Extract<FoundPairing, { ok: true }> };

async function nameOf(home: DeviceHome, cloudUrl: string, input: AskedPairing): Promise<Named | PairingRefusal> {
  if ("invited" in input) return byAnswer(input.invited);
  return "code" in input ? byCode(home, input.code) : byQr(cloudUrl, input.qrText);
}

async function byCode({ loop }: DeviceHome, typed: string): Promise<Named | PairingRefusal> {
  const userCode = readUserCode(typed);
  if (userCode === null || !loop)
    return refusePairing("BAD_FORMAT", "This is not a pairing code: it has eight symbols.");
  return byAnswer(await loop.calls.call((client) => client.pairing.lookup.mutate({ userCode })));
}

function byAnswer(found: LookedUpPairing): Named | PairingRefusal {
  if (!found.ok) return refusePairing(found.code, found.reason);
  const { pairingId, commit, platform, place, age } = found;
  const pairing = { pairingId: uuidBytes(pairingId), commit: fromBase64url(commit), qrSecret: null };
  return { ok: true, pairing, found: { ok: true, pairingId, platform, place, ageSeconds: age, needsDigits: true } };
}

async function byQr(cloudUrl: string, text: string): Promise<Named | PairingRefusal> {
  const qr = await readQr(text.trim(), cloudUrl);
  if (!qr.ok)
    return qr.code === "WRONG_PLACE"
      ? refusePairing("other_cloud", "This code belongs to another cloud than the one this device is signed in to.")
      : refusePairing(qr.code, "This is not a pairing code of Code Hands.");
  const { pairingId: bytes, commit, secret } = qr.value;
  const pairingId = uuidText(bytes);
  const about = { platform: "unknown", place: null, ageSeconds: null, needsDigits: false };
  return {
    ok: true,
    pairing: { pairingId: bytes, commit, qrSecret: secret },
    found: { ok: true, pairingId, ...about },
  };
}

/** As this device calls itself in its signed record. */
async function ownName({ member, options }: DeviceHome): Promise<string> {
  const own = (await options.store.allRecords()).find(({ kind, id }) => kind === 1 && id === member?.id);
  const body = own?.body ? (JSON.parse(own.body) as { name?: unknown }) : null;
  return (typeof body?.name === "string" ? body.name : options.about.name).slice(0, 64);
}
