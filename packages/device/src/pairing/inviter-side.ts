import type { InviterState, PairingAnswer } from "@codehands/api";
import type { OfferedPairing } from "@codehands/api/cloud";
import { CloudCallError } from "@codehands/api/cloud-client";
import {
  explainCode,
  fromBase64url,
  type KnownNewcomer,
  type MadeOffer,
  openReveal,
  type Role,
  shownName,
  toBase64url,
  typeDigits,
  type VaultCode,
} from "@codehands/vault";
import type { ExtendDeps } from "../roster/extend-together.ts";
import { type Approver, approveTogether } from "./approve-together.ts";
import { refusePairing } from "./refuse-pairing.ts";

/** How far a pairing got. The digits are in memory only, and never shown here. */
type Stage =
  | { at: "offered" }
  | { at: "revealed"; known: KnownNewcomer }
  | { at: "approved"; device: { id: string; name: string } }
  | { at: "dead"; code: string; reason: string };

export interface InviterDeps extends ExtendDeps {
  approver: Approver;
}

/** One pairing, on the device that lets another one in. One offer, one nonce, three tries (V29, V32). */
export class InviterSide {
  readonly pairingId: string;
  readonly #deps: InviterDeps;
  readonly #offer: MadeOffer;
  #stage: Stage = { at: "offered" };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: InviterDeps, pairingId: string, offer: MadeOffer) {
    this.#deps = deps;
    this.pairingId = pairingId;
    this.#offer = offer;
  }

  /** Tells the cloud the offer; the same one again, when its answer was lost. */
  async send(): Promise<{ ok: true } | { ok: false; code: string; reason: string }> {
    const { pairingId } = this;
    const { message, qrTag } = this.#offer;
    const offer = { pairingId, msgO: toBase64url(message), ...(qrTag && { qrTag: toBase64url(qrTag) }) };
    return this.#deps.loop.calls.call((client) => client.pairing.offer.mutate(offer));
  }

  /**
   * The person looked the same pairing up again: it goes on with the offer that was made, and never gets a second one.
   * Sent once more where its answer may have been lost.
   */
  again(): Promise<{ ok: true } | { ok: false; code: string; reason: string }> {
    return this.#inTurn(async () => {
      if (this.#stage.at === "offered") {
        const sent = await this.send();
        if (sent.ok || sent.code !== "CONFLICT") return sent;
        // The new device has answered this very offer, or another device was quicker.
        await this.#advance();
        if (this.#stage.at === "offered") return sent;
      }
      const stage = this.#stage;
      return stage.at === "dead" ? { ok: false, code: stage.code, reason: stage.reason } : { ok: true };
    });
  }

  /** Where it stands. Asking changes nothing but what the other side has done since. */
  state(): Promise<InviterState> {
    return this.#inTurn(async () => {
      await this.#advance();
      return this.#told();
    });
  }

  /** The digits that the person typed; then the device is let in (V29, steps 8 and 9). */
  approve({ digits, roles }: { digits?: string | undefined; roles?: Role[] | undefined }): Promise<PairingAnswer> {
    return this.#inTurn(async () => {
      await this.#advance();
      if (this.#stage.at === "offered")
        return refusePairing("CONFLICT", "The new device has not answered yet. Wait until it shows its digits.");
      if (this.#stage.at === "dead") return { ok: false, code: this.#stage.code, reason: this.#stage.reason };
      if (this.#stage.at === "approved") return { ok: true, device: this.#stage.device };
      return this.#approve(this.#stage.known, { digits, roles });
    });
  }

  /** Ends it for both sides. */
  async cancel(): Promise<void> {
    if (this.#stage.at === "approved") return;
    this.#die("PAIR_EXPIRED", "This pairing was ended here. Nothing was shared.");
    await this.#end();
  }

  async #advance(): Promise<void> {
    if (this.#stage.at !== "offered") return;
    const seen = await this.#look();
    if (seen.state === "dead") return this.#refuse("PAIR_EXPIRED");
    if (seen.state !== "revealed") return;
    const known = await openReveal(this.#offer, { enc: fromBase64url(seen.enc), ct: fromBase64url(seen.ct) });
    if (known.ok) {
      this.#stage = { at: "revealed", known: known.value };
      return;
    }
    // Whoever answered is not who was committed to: this pairing is over (V29, step 6).
    this.#refuse(known.code);
    await this.#end();
  }

  async #look(): Promise<OfferedPairing> {
    const { pairingId } = this;
    try {
      return await this.#deps.loop.calls.call((client) => client.pairing.offered.query({ pairingId }));
    } catch (error) {
      // The cloud is away for a moment: it is asked again.
      if (error instanceof CloudCallError) return { state: "offered" };
      throw error;
    }
  }

  async #approve(
    known: KnownNewcomer,
    { digits, roles }: { digits?: string | undefined; roles?: Role[] | undefined },
  ): Promise<PairingAnswer> {
    let confirmed = known;
    if (!known.isConfirmed) {
      const typed = typeDigits(known, digits ?? "");
      this.#stage = { at: "revealed", known: typed.known };
      if (!typed.ok) {
        const { triesLeft } = typed;
        if (triesLeft === 0) {
          this.#refuse("PAIR_MISMATCH");
          await this.#end();
        }
        return { ...refusePairing("PAIR_MISMATCH"), triesLeft };
      }
      confirmed = typed.known;
    }
    const refused = await approveTogether(this.#deps, confirmed, { pairingId: this.pairingId, roles });
    if (refused) return refused;
    const { id, name } = confirmed.newcomer;
    const device = { id, name: shownName(name) };
    this.#stage = { at: "approved", device };
    return { ok: true, device };
  }

  #told(): InviterState {
    const stage = this.#stage;
    switch (stage.at) {
      case "offered":
        return { state: "waiting" };
      case "revealed": {
        const { name, platform } = stage.known.newcomer;
        return { state: "revealed", name: shownName(name), platform };
      }
      case "approved":
        return { state: "approved" };
      case "dead":
        return { state: "dead", code: stage.code, reason: stage.reason };
    }
  }

  async #end(): Promise<void> {
    const { pairingId } = this;
    await this.#deps.loop.calls.call((client) => client.pairing.end.mutate({ pairingId })).catch(() => undefined);
  }
  #refuse(code: VaultCode): void {
    this.#die(code, explainCode(code));
  }
  #die(code: string, reason: string): void {
    this.#stage = { at: "dead", code, reason };
  }
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}
