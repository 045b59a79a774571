import type { BegunPairing, FoundPairing, LookUpPairing, NewcomerState, PairPort } from "@codehands/api";
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
import { NewcomerSide } from "./newcomer-side.ts";
import { answeredPairing, type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

const GONE = {
  state: "dead",
  code: "PAIR_EXPIRED",
  reason: "This pairing is over, or was never begun here. Nothing was shared; begin a new one.",
} as const;

/** Pairing, both sides (V29–V32): one at a time on each side, a new one ends the old. */
export function createPairPort(home: DeviceHome): PairPort {
  let newcomer: NewcomerSide | null = null;
  let inviter: Inviter | null = null;
  let lookingUp: Promise<unknown> = Promise.resolve();
  const newcomerOf = (pairingId: string): NewcomerSide | null => (newcomer?.pairingId === pairingId ? newcomer : null);
  const inviterOf = (pairingId: string): InviterSide | null =>
    inviter?.side.pairingId === pairingId ? inviter.side : null;

  async function begin(cloudUrl: string): Promise<BegunPairing> {
    if (home.member || home.broken)
      return refusePairing(
        "signed_in_already",
        "This device is signed in already. Sign out first; nothing was changed.",
      );
    const { state } = await home.options.store.read({});
    // An id that another device may have put on its list is never offered again (V6).
    const id = newcomer?.isSpent ? crypto.randomUUID() : state.deviceId;
    await newcomer?.cancel();
    newcomer = await NewcomerSide.begin(home, { cloudUrl, id });
    return newcomer.begun;
  }

  async function lookUp(input: LookUpPairing): Promise<FoundPairing> {
    const asked = askedFor(input);
    const now = Date.parse(home.options.clock());
    // The same again: a second call with the digits, or the answer to the offer was lost.
    if (inviter?.asked === asked && inviter.member === home.member) {
      const { side, found, at } = inviter;
      const sent = await side.again();
      if (!sent.ok) return refusePairing(sent.code, sent.reason);
      const { ageSeconds: age } = found;
      return { ...found, ageSeconds: age === null ? null : age + Math.max(0, Math.round((now - at) / 1_000)) };
    }
    const made = await makeInviter(home, input);
    if (!("side" in made)) return made;
    await inviter?.side.cancel();
    inviter = { ...made, asked, at: now };
    const sent = await made.side.send();
    return sent.ok ? made.found : refusePairing(sent.code, sent.reason);
  }

  /** One after the other: two calls for one code make one offer. */
  function lookUpInTurn(input: LookUpPairing): Promise<FoundPairing> {
    const next = lookingUp.then(() => answeredPairing(() => lookUp(input)));
    lookingUp = next.catch(() => undefined);
    return next;
  }

  return {
    begin: ({ cloudUrl }) => home.inTurn(() => answeredPairing(() => begin(cloudUrl))),
    state: (pairingId) =>
      home.inTurn(async (): Promise<NewcomerState> => (await newcomerOf(pairingId)?.state()) ?? GONE),
    accept: (pairingId) =>
      home.inTurn(async (): Promise<NewcomerState> => (await newcomerOf(pairingId)?.accept()) ?? GONE),
    lookUp: lookUpInTurn,
    offered: async (pairingId) => (await inviterOf(pairingId)?.state()) ?? GONE,
    async approve({ pairingId, digits, roles }) {
      const side = inviterOf(pairingId);
      if (!side) return { ok: false, code: GONE.code, reason: GONE.reason };
      return answeredPairing(() => side.approve({ digits, roles }));
    },
    async cancel(pairingId) {
      await newcomerOf(pairingId)?.cancel();
      await inviterOf(pairingId)?.cancel();
    },
  };
}

interface MadeInviter {
  side: InviterSide;
  found: Extract<FoundPairing, { ok: true }>;
  /** As whom it lets in. */
  member: DeviceHome["member"];
}

/** The pairing that this device lets in at the moment. */
interface Inviter extends MadeInviter {
  /** What the person typed or read, in one spelling. */
  asked: string;
  /** When it was found, milliseconds. */
  at: number;
}

/** A code is the same one however it is typed. */
const askedFor = (input: LookUpPairing): string =>
  "code" in input ? `code ${readUserCode(input.code) ?? input.code}` : `qr ${input.qrText.trim()}`;

/** Finds the pairing that a code or a QR names, and makes the offer for it: with a nonce of its own, once. */
async function makeInviter(home: DeviceHome, input: LookUpPairing): Promise<MadeInviter | PairingRefusal> {
  const { member, loop, options } = home;
  if (!member || !loop) return refusePairing("no_account", "This device is not signed in.");
  if (!member.roles.includes("admin")) return refusePairing("NOT_ALLOWED", "This device may let no other one in.");
  const named = "code" in input ? await byCode(home, input.code) : await byQr(member.account.cloudUrl, input.qrText);
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

async function byCode({ loop }: DeviceHome, typed: string): Promise<Named | PairingRefusal> {
  const userCode = readUserCode(typed);
  if (userCode === null || !loop)
    return refusePairing("BAD_FORMAT", "This is not a pairing code: it has eight symbols.");
  const found = await loop.calls.call((client) => client.pairing.lookup.mutate({ userCode }));
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
