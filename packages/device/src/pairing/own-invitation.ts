import type { MadeInvitation } from "@codehands/api";
import type { LookedUpPairing } from "@codehands/api/cloud";
import { writeInvitation } from "@codehands/contracts";
import { originOf } from "@codehands/vault";
import type { DeviceHome } from "../home.ts";
import { type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

type Member = NonNullable<DeviceHome["member"]>;
type Loop = NonNullable<DeviceHome["loop"]>;

/**
 * An invitation that this device made. It saves typing a code, and gives nothing by itself: whoever comes with it is asked
 * for digits as everybody is (V29).
 */
export class OwnInvitation {
  readonly made: Extract<MadeInvitation, { ok: true }>;
  /** As whom it was made. */
  readonly member: Member;
  readonly #loop: Loop;
  #came: LookedUpPairing | null = null;

  private constructor(made: Extract<MadeInvitation, { ok: true }>, of: { member: Member; loop: Loop }) {
    this.made = made;
    this.member = of.member;
    this.#loop = of.loop;
  }

  /** Asks the cloud for one, for a device that may let others in. */
  static async make({ member, loop, options }: DeviceHome): Promise<OwnInvitation | PairingRefusal> {
    if (!member || !loop) return refusePairing("no_account", "This device is not signed in.");
    if (!member.roles.includes("admin")) return refusePairing("NOT_ALLOWED", "This device may let no other one in.");
    const startedAt = Date.parse(options.clock());
    const answer = await loop.calls.call((client) => client.pairing.invite.mutate());
    if (!answer.ok) return refusePairing(answer.code, answer.reason);
    const { invitation, expiresIn } = answer;
    const qrText = writeInvitation(originOf(member.account.cloudUrl), invitation);
    const expiresAt = new Date(startedAt + expiresIn * 1_000).toISOString();
    return new OwnInvitation({ ok: true, invitation, qrText, expiresAt }, { member, loop });
  }

  get id(): string {
    return this.made.invitation;
  }

  /** Who came with it, asked of the cloud until it knows; null while nobody did. */
  async look(): Promise<LookedUpPairing | null> {
    const { id: invitation } = this;
    if (this.#came) return this.#came;
    const seen = await this.#loop.calls.call((client) => client.pairing.invited.query({ invitation }));
    if ("waiting" in seen) return null;
    this.#came = seen;
    return seen;
  }

  /** Takes it back; one that cannot be taken back now expires by itself. */
  async end(): Promise<void> {
    const { id: invitation } = this;
    await this.#loop.calls.call((client) => client.pairing.end.mutate({ invitation })).catch(() => undefined);
  }
}
