import type {
  BeginPairing,
  BegunPairing,
  FoundPairing,
  InvitedState,
  LookUpPairing,
  MadeInvitation,
  NewcomerState,
  PairPort,
} from "@codehands/api";
import { CloudCallError } from "@codehands/api/cloud-client";
import { readInvitation } from "@codehands/contracts";
import { originOf, readUserCode } from "@codehands/vault";
import type { DeviceHome } from "../home.ts";
import type { InviterSide } from "./inviter-side.ts";
import { type AskedPairing, type MadeInviter, makeInviter } from "./make-inviter.ts";
import { NewcomerSide } from "./newcomer-side.ts";
import { OwnInvitation } from "./own-invitation.ts";
import { answeredPairing, type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

const GONE = {
  state: "dead",
  code: "PAIR_EXPIRED",
  reason: "This pairing is over, or was never begun here. Nothing was shared; begin a new one.",
} as const;

const INVITATION_OVER = {
  state: "dead",
  code: "INVITATION_GONE",
  reason: "This invitation is over: it holds ten minutes and for one new device. Nothing was shared; make a new one.",
} as const;

const deadBy = ({ code, reason }: PairingRefusal): InvitedState => ({ state: "dead", code, reason });

/** Pairing, both sides (V29–V32): one at a time on each side, a new one ends the old. */
export function createPairPort(home: DeviceHome): PairPort {
  let newcomer: NewcomerSide | null = null;
  let inviter: Inviter | null = null;
  let invitation: OwnInvitation | null = null;
  let lookingUp: Promise<unknown> = Promise.resolve();
  const newcomerOf = (pairingId: string): NewcomerSide | null => (newcomer?.pairingId === pairingId ? newcomer : null);
  const inviterOf = (pairingId: string): InviterSide | null =>
    inviter?.side.pairingId === pairingId ? inviter.side : null;

  async function begin({ cloudUrl, invitation: text }: BeginPairing): Promise<BegunPairing> {
    if (home.member || home.broken)
      return refusePairing(
        "signed_in_already",
        "This device is signed in already. Sign out first; nothing was changed.",
      );
    const read = text === undefined ? null : readInvitation(text);
    if (text !== undefined && read === null) return refusePairing("BAD_FORMAT", "This is not an invitation.");
    if (read?.origin && originOf(read.origin) !== originOf(cloudUrl))
      return refusePairing("other_cloud", "This invitation belongs to another cloud than the one that was named.");
    const { state } = await home.options.store.read({});
    // An id that another device may have put on its list is never offered again (V6).
    const id = newcomer?.isSpent ? crypto.randomUUID() : state.deviceId;
    await newcomer?.cancel();
    const begun = await NewcomerSide.begin(home, { cloudUrl, id, ...(read && { invitation: read.invitation }) });
    if (!(begun instanceof NewcomerSide)) return begun;
    newcomer = begun;
    return begun.begun;
  }

  async function lookUp(asked: string, input: AskedPairing): Promise<FoundPairing> {
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

  async function invite(): Promise<MadeInvitation> {
    const made = await OwnInvitation.make(home);
    if (!(made instanceof OwnInvitation)) return made;
    await invitation?.end();
    invitation = made;
    return made.made;
  }

  /** Who came with the invitation gets the offer: from there on it is a pairing like any other. */
  async function invited(id: string): Promise<InvitedState> {
    const own = invitation;
    if (own?.id !== id || own.member !== home.member) return INVITATION_OVER;
    try {
      const came = await own.look();
      if (!came) return { state: "waiting" };
      if (!came.ok) return INVITATION_OVER;
      const found = await lookUp(`invitation ${id}`, { invited: came });
      if (!found.ok) return deadBy(found);
      const { pairingId, platform, place, ageSeconds } = found;
      return { state: "found", pairingId, platform, place, ageSeconds };
    } catch (error) {
      // The cloud is away for a moment: it is asked again, as long as the invitation holds.
      if (!(error instanceof CloudCallError)) throw error;
      return home.options.clock() < own.made.expiresAt ? { state: "waiting" } : INVITATION_OVER;
    }
  }

  /** One after the other: two calls for one code make one offer. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = lookingUp.then(work);
    lookingUp = next.catch(() => undefined);
    return next;
  }

  return {
    begin: (input) => home.inTurn(() => answeredPairing(() => begin(input))),
    state: (pairingId) =>
      home.inTurn(async (): Promise<NewcomerState> => (await newcomerOf(pairingId)?.state()) ?? GONE),
    accept: (pairingId) =>
      home.inTurn(async (): Promise<NewcomerState> => (await newcomerOf(pairingId)?.accept()) ?? GONE),
    lookUp: (input) => inTurn(() => answeredPairing(() => lookUp(askedFor(input), input))),
    invite: () => inTurn(() => answeredPairing(invite)),
    invited: (id) =>
      inTurn(async () => {
        const state = await answeredPairing(() => invited(id));
        return "ok" in state ? deadBy(state) : state;
      }),
    offered: async (pairingId) => (await inviterOf(pairingId)?.state()) ?? GONE,
    async approve({ pairingId, digits, roles }) {
      const side = inviterOf(pairingId);
      if (!side) return { ok: false, code: GONE.code, reason: GONE.reason };
      return answeredPairing(() => side.approve({ digits, roles }));
    },
    async cancel(pairingId) {
      await newcomerOf(pairingId)?.cancel();
      await inviterOf(pairingId)?.cancel();
      if (invitation?.id !== pairingId) return;
      await invitation.end();
      invitation = null;
    },
  };
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
