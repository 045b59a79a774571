import { randomBytes } from "../primitives/web-crypto.ts";
import { checkAppend } from "../roster/check-append.ts";
import { ROLES } from "../roster/statement.ts";
import { must, type World, type WorldDevice } from "../vault-world.test-kit.ts";
import { approveNewcomer, type Inviter, type MadeOffer, makeOffer, openReveal } from "./inviter.ts";
import { answerOffer, type OfferSeen, openNewcomer, qrOf, type StartedPairing } from "./newcomer.ts";

export const START = 1_000;

export const inviterOf = (w: World, device: WorldDevice = w.laptop): Inviter => ({
  id: device.id,
  keys: device.keys,
  roster: w.rotated,
});

/** A new device that has asked the cloud for a pairing. */
export async function start(device: WorldDevice, platform = "linux"): Promise<StartedPairing> {
  const { id, keys, name } = device;
  const newcomer = await openNewcomer({ id, keys, name, platform, roles: [...ROLES] });
  return { newcomer, pairingId: randomBytes(16), startedAt: START };
}

/** An offer as the cloud or a QR leads to it. */
export async function offerTo(
  inviter: Inviter,
  { newcomer, pairingId }: StartedPairing,
  byQr = false,
): Promise<MadeOffer> {
  const found = { pairingId, commit: newcomer.commit, qrSecret: byQr ? newcomer.qrSecret : null };
  return must(await makeOffer(inviter, found));
}

export const seen = (offer: MadeOffer, more: Partial<OfferSeen> = {}): OfferSeen => ({
  message: offer.message,
  qrTag: offer.qrTag,
  now: START + 1,
  byQr: offer.qrTag !== null,
  ...more,
});

/** A pairing from its start to what the cloud stored, all honest. */
export async function pair(w: World, device: WorldDevice, byQr = false) {
  const started = await start(device);
  const offer = await offerTo(inviterOf(w), started, byQr);
  const revealed = must(await answerOffer(started, seen(offer)));
  const known = must(await openReveal(offer, revealed.reveal));
  const payload = {
    keys: w.roots.map((root, at) => ({ epoch: at + 1, root })),
    account: { label: "Home", letInBy: "Laptop" },
  };
  const approve = async (isConfirmed = true) => approveNewcomer({ ...known, isConfirmed }, { at: "now", payload });
  const approved = must(await approve());
  const statements = [...w.statements, approved.statement];
  const redeemed = { statements, envelope: approved.envelope, now: START + 2 };
  const append = { statement: approved.statement, envelopes: [approved.envelope] };
  must(await checkAppend(w.rotated, append));
  return { started, offer, revealed, known, approve, approved, redeemed, payload, qr: qrOf(started) };
}
