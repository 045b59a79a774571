import type { BegunPairing, NewcomerState } from "@codehands/api";
import type { PolledPairing } from "@codehands/api/cloud";
import { CloudCallError, type CloudClient, createCloudClient } from "@codehands/api/cloud-client";
import {
  answerOffer,
  explainCode,
  fromBase64url,
  type Newcomer,
  openNewcomer,
  PAIRING_MS,
  qrOf,
  type RevealedPairing,
  ROLES,
  toBase64url,
  uuidBytes,
  type VaultCode,
  writeQr,
} from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { DeviceHome } from "../home.ts";
import { joinVault, type LetIn, redeemPairing } from "./redeem-pairing.ts";
import { type PairingRefusal, refusePairing } from "./refuse-pairing.ts";

/** How far a pairing got; keys and tokens of it are in memory only, until a person said yes. */
type Stage =
  | { at: "started" }
  | { at: "revealed"; revealed: RevealedPairing }
  | { at: "let_in"; revealed: RevealedPairing; letIn: LetIn }
  | { at: "joined"; deviceId: string }
  | { at: "dead"; code: string; reason: string };

/** One pairing, on the new device. Nothing of it is ever tried a second time (V32). */
export class NewcomerSide {
  readonly #home: DeviceHome;
  readonly #client: CloudClient;
  readonly #cloudUrl: string;
  readonly #newcomer: Newcomer;
  readonly pairingId: string;
  readonly #pollToken: string;
  readonly #startedAt: number;
  readonly begun: Extract<BegunPairing, { ok: true }>;
  #stage: Stage = { at: "started" };
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(home: DeviceHome, started: Started) {
    this.#home = home;
    this.#client = started.client;
    this.#cloudUrl = started.cloudUrl;
    this.#newcomer = started.newcomer;
    this.pairingId = started.pairingId;
    this.#pollToken = started.pollToken;
    this.#startedAt = started.startedAt;
    const { pairingId, userCode, startedAt, newcomer } = started;
    const qrText = writeQr(started.cloudUrl, qrOf({ newcomer, pairingId: uuidBytes(pairingId), startedAt }));
    const expiresAt = new Date(startedAt + Math.min(PAIRING_MS, started.expiresIn * 1_000)).toISOString();
    this.begun = { ok: true, pairingId, userCode, qrText, expiresAt };
  }

  /**
   * Makes keys and tells the cloud a commitment to them (V29, step 1). `id` was never given to a vault. An invitation tells
   * the device that made it which pairing this is; refused when it does not count.
   */
  static async begin(
    home: DeviceHome,
    { cloudUrl, id, invitation }: { cloudUrl: string; id: string; invitation?: string },
  ): Promise<NewcomerSide | PairingRefusal> {
    const { keys, about, fetch: ask, clock } = home.options;
    const client = createCloudClient({ url: cloudUrl, ...(ask && { fetch: ask }) });
    const { platform, name, kind } = about;
    const roles = kind === "browser" ? (["command"] as const) : ROLES;
    const newcomer = await openNewcomer({ id, keys: await keys.make(), name, platform, roles: [...roles] });
    const startedAt = Date.parse(clock());
    const started = await client.pairing.start.mutate({
      commit: toBase64url(newcomer.commit),
      platform,
      ...(invitation !== undefined && { invitation }),
    });
    if ("ok" in started) return refusePairing(started.code, started.reason);
    return new NewcomerSide(home, { client, cloudUrl, newcomer, startedAt, ...started });
  }

  get id(): string {
    return this.#newcomer.id;
  }
  /** The other side may have put this id on its list: it is not used again. */
  get isSpent(): boolean {
    return this.#stage.at !== "started";
  }

  /** Where it stands. Asking changes nothing but what the other side has done since. */
  state(): Promise<NewcomerState> {
    return this.#inTurn(() => this.#advance());
  }

  /** The person's yes (V30): now the keys are stored, and the device is a member. */
  accept(): Promise<NewcomerState> {
    return this.#inTurn(async () => {
      if (this.#stage.at === "let_in") await this.#join(this.#stage.letIn);
      return this.#told();
    });
  }

  /** Ends it on both sides; keys that were made for it are forgotten. */
  async cancel(): Promise<void> {
    if (this.#stage.at === "joined") return;
    this.#die(
      "PAIR_EXPIRED",
      "This pairing was ended here, and nothing was stored. If the other device lists this one, remove it there.",
    );
    await this.#client.pairing.end.mutate({ pollToken: this.#pollToken }).catch(() => undefined);
  }

  async #advance(): Promise<NewcomerState> {
    if (this.#stage.at === "dead" || this.#stage.at === "joined" || this.#stage.at === "let_in") return this.#told();
    if (this.#now() - this.#startedAt > PAIRING_MS) this.#refuse("PAIR_EXPIRED");
    else
      try {
        await this.#follow(await this.#client.pairing.poll.query({ pollToken: this.#pollToken }));
      } catch (error) {
        // The cloud is away for a moment: it is asked again.
        if (!(error instanceof CloudCallError)) throw error;
      }
    return this.#told();
  }

  async #follow(polled: PolledPairing): Promise<void> {
    const stage = this.#stage;
    if (polled.state === "offered" && stage.at === "started") await this.#answer(polled);
    else if (polled.state === "offered" && stage.at === "revealed") await this.#reveal(stage.revealed);
    else if (polled.state === "approved" && stage.at === "revealed") await this.#redeem(stage.revealed);
    // Handed over already, to whoever was quicker: then this device is a member all the same.
    else if (polled.state === "dead" && stage.at === "revealed") await this.#redeem(stage.revealed);
    else if (polled.state === "dead") this.#refuse("PAIR_EXPIRED");
  }

  /** The first offer counts; a later one is not looked at. */
  async #answer({ msgO, qrTag }: Extract<PolledPairing, { state: "offered" }>): Promise<void> {
    const started = {
      newcomer: this.#newcomer,
      pairingId: uuidBytes(this.pairingId),
      startedAt: this.#startedAt,
    };
    const tag = qrTag === null ? null : fromBase64url(qrTag);
    const seen = { message: fromBase64url(msgO), qrTag: tag, now: this.#now(), byQr: tag !== null };
    const answered = await answerOffer(started, seen);
    if (!answered.ok) return this.#refuse(answered.code);
    this.#stage = { at: "revealed", revealed: answered.value };
    await this.#reveal(answered.value);
  }

  /** The same bytes again, when their answer was lost. */
  async #reveal({ reveal }: RevealedPairing): Promise<void> {
    const { enc, ct } = reveal;
    const sealed = { enc: toBase64url(enc), ct: toBase64url(ct) };
    const step = await this.#client.pairing.reveal.mutate({ pollToken: this.#pollToken, ...sealed });
    if (!step.ok) this.#refuse(step.code);
  }

  async #redeem(revealed: RevealedPairing): Promise<void> {
    const { options } = this.#home;
    const from = { client: this.#client, cloudUrl: this.#cloudUrl, pollToken: this.#pollToken, fetch: options.fetch };
    const redeemed = await redeemPairing(from, revealed, this.#now());
    if (!redeemed.ok) return this.#refuse(redeemed.code);
    this.#stage = { at: "let_in", revealed, letIn: redeemed.value };
    // Whoever read the QR has proved itself: nobody has to be asked (V31).
    if (!redeemed.value.askPerson) await this.#join(redeemed.value);
  }

  async #join(letIn: LetIn): Promise<void> {
    if (this.#home.member) throw new DeviceError("refused", "This device is signed in already.");
    await joinVault(this.#home, { cloudUrl: this.#cloudUrl, newcomer: this.#newcomer, letIn });
    this.#stage = { at: "joined", deviceId: this.#newcomer.id };
  }

  #told(): NewcomerState {
    const stage = this.#stage;
    switch (stage.at) {
      case "started":
        return { state: "waiting" };
      case "revealed":
        return stage.revealed.byQr ? { state: "waiting" } : { state: "digits", digits: stage.revealed.digits };
      case "let_in": {
        const { letInBy, askPerson } = stage.letIn;
        return { state: "let_in", digits: stage.revealed.digits, letInBy, askPerson };
      }
      case "joined":
        return { state: "joined", deviceId: stage.deviceId };
      case "dead":
        return { state: "dead", code: stage.code, reason: stage.reason };
    }
  }

  #refuse(code: VaultCode | "PAIR_EXPIRED" | "NOT_ALLOWED" | "CONFLICT"): void {
    this.#die(code, explainCode(code));
  }
  #die(code: string, reason: string): void {
    this.#stage = { at: "dead", code, reason };
  }
  #now(): number {
    return Date.parse(this.#home.options.clock());
  }
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work);
    this.#turn = next.catch(() => undefined);
    return next;
  }
}

interface Started {
  client: CloudClient;
  cloudUrl: string;
  newcomer: Newcomer;
  startedAt: number;
  pairingId: string;
  userCode: string;
  pollToken: string;
  expiresIn: number;
}
