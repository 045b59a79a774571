/** The account of a device in plain memory: one cloud with its people, devices, one pairing and the state of the sync. */
import {
  type AccountDevice,
  type AccountView,
  type Credentials,
  type FoundPairing,
  type InvitedState,
  type InviterState,
  type LocalPorts,
  type NewcomerState,
  type RenewedCode,
  SIGNED_OUT,
  type SignedUp,
  SYNC_OFF,
  type SyncView,
} from "@codehands/api";

export const CLOUD = "https://hands.example";
export const RECOVERY_CODE = "00000-11111-22222-33333-44444-5555Z";
export const NEW_CODE = "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF";
export const LAPTOP = "11111111-1111-4111-8111-111111111111";
export const DESKTOP = "22222222-2222-4222-8222-222222222222";
export const INVITATION = `${"a-_9".repeat(5)}bQ`;
export const PAIRING = "44744c69-f8eb-44c3-aa65-cee069cc7357";
const HEARD = "2026-01-02T01:10:00.000Z";

/** A device of the account; the laptop unless told otherwise. */
export function deviceOf(over: Partial<AccountDevice> = {}): AccountDevice {
  return {
    id: LAPTOP,
    name: "laptop",
    kind: "daemon",
    platform: "linux",
    current: false,
    roles: ["admin", "command", "run"],
    lastSeenAt: HEARD,
    createdAt: "2026-01-01T00:00:00.000Z",
    revokedAt: null,
    ...over,
  };
}

export class MemoryAccount {
  view: AccountView = SIGNED_OUT;
  sync: SyncView = SYNC_OFF;
  devices: AccountDevice[] = [];
  /** People of the cloud by e-mail address. */
  readonly people = new Map<string, { password: string }>([["eve@example.org", { password: "correct horse" }]]);
  /** What each look at the own pairing shows, one after the other; the last one stays. */
  newcomer: NewcomerState[] = [{ state: "waiting" }];
  /** The same for the side that lets in. */
  inviter: InviterState[] = [{ state: "revealed", name: "desktop", platform: "linux" }];
  /** What each look at the invitation shows, one after the other; the last one stays. */
  invited: InvitedState[] = [
    { state: "waiting" },
    { state: "found", pairingId: PAIRING, platform: "web", place: "Berlin, Germany", ageSeconds: 3 },
  ];
  found: FoundPairing = {
    ok: true,
    pairingId: PAIRING,
    platform: "linux",
    place: "Berlin, Germany",
    ageSeconds: 40,
    needsDigits: true,
  };
  digits = "084037";
  triesLeft = 3;
  /** Why this copy cannot say now which one it is. */
  staysCopy: string | null = null;
  /** Every call that changes something, in order. */
  readonly calls: { name: string; input: unknown }[] = [];
  readonly ports: Pick<LocalPorts, "account" | "pair" | "devices" | "sync">;

  constructor() {
    this.ports = { account: this.#account(), pair: this.#pair(), devices: this.#devices(), sync: this.#sync() };
  }

  /** This device is a member, beside a laptop that was heard two hours ago. */
  signIn(): void {
    const roles = ["admin", "command", "run"] as const;
    this.view = { ...SIGNED_OUT, state: "active", cloudUrl: CLOUD, email: "eve@example.org", deviceId: DESKTOP };
    this.view.roles = [...roles];
    this.devices = [deviceOf(), deviceOf({ id: DESKTOP, name: "desktop", current: true })];
    this.sync = { ...SYNC_OFF, state: "resting", cursor: 41, head: 41, lastRoundTripAt: "2026-01-02T03:09:30.000Z" };
  }

  #note<T>(name: string, input: unknown, value: T): T {
    this.calls.push({ name, input });
    return value;
  }

  #account(): LocalPorts["account"] {
    return {
      status: async () => this.view,
      signUp: async (input) => {
        this.calls.push({ name: "signUp", input });
        if (this.people.has(input.email)) return refused("refused", "There is an account with this address.");
        this.people.set(input.email, { password: input.password });
        this.signIn();
        this.view = { ...this.view, cloudUrl: input.cloudUrl, email: input.email };
        return { ok: true, account: this.view, recoveryCode: RECOVERY_CODE };
      },
      logIn: async (input) => {
        this.calls.push({ name: "logIn", input });
        const wrong = this.#wrong(input);
        if (wrong !== null) return wrong;
        const { cloudUrl, email } = input;
        this.view = { ...SIGNED_OUT, state: "locked", cloudUrl, email, devices: 2, sessions: 7 };
        return { ok: true, account: this.view, recoveryCode: null };
      },
      logOut: async (input) => {
        this.view = SIGNED_OUT;
        this.devices = [];
        return this.#note("logOut", input, { ok: true as const, notes: ["Your 3 own sessions were kept."] });
      },
      recover: async (input) => {
        this.calls.push({ name: "recover", input });
        const wrong = this.#wrong(input);
        if (wrong !== null) return wrong;
        if (input.code !== RECOVERY_CODE) return refused("bad_code", "This is not the recovery code.");
        this.signIn();
        return {
          ok: true,
          account: this.view,
          recoveryCode: NEW_CODE,
          // Names are sealed: they come with the first exchange.
          others: [{ id: LAPTOP, name: null, platform: "linux" }],
          caution: "The cloud could have shown an older state.",
        };
      },
      renewCode: async () => this.#renewCode(),
    };
  }

  #renewCode(): RenewedCode {
    this.calls.push({ name: "renewCode", input: null });
    if (this.view.state !== "active") return refused("not_signed_in", "This device is not signed in.");
    if (!this.view.roles.includes("admin")) return refused("refused", "This device may not make a recovery code.");
    return { ok: true, recoveryCode: NEW_CODE };
  }

  #wrong(input: Credentials): ReturnType<typeof refused> | null {
    const right = this.people.get(input.email)?.password === input.password;
    return right ? null : refused("wrong_password", "The address or the password is not right.");
  }

  #pair(): LocalPorts["pair"] {
    return {
      begin: async (input) =>
        this.#note("begin", input, {
          ok: true as const,
          pairingId: PAIRING,
          userCode: "ABCD-EFGH",
          qrText: `${input.cloudUrl}/pair#1.${"p".repeat(22)}.${"c".repeat(43)}.${"s".repeat(22)}`,
          expiresAt: "2026-01-02T03:20:00.000Z",
        }),
      state: async () => next(this.newcomer, { state: "waiting" }),
      accept: async (pairingId) => {
        this.signIn();
        return this.#note("accept", pairingId, { state: "joined" as const, deviceId: DESKTOP });
      },
      lookUp: async (input) => {
        const none = { ok: false as const, code: "not_signed_in", reason: "This device is not signed in." };
        if (this.view.state !== "active") return none;
        // The same code again goes on with the offer that was made.
        return this.#note("lookUp", input, this.found);
      },
      invite: async () =>
        this.#note("invite", undefined, {
          ok: true as const,
          invitation: INVITATION,
          qrText: `${this.view.cloudUrl}/pair#i.${INVITATION}`,
          expiresAt: "2026-01-02T03:20:00.000Z",
        }),
      invited: async () => next(this.invited, { state: "waiting" }),
      offered: async () => next(this.inviter, { state: "waiting" }),
      approve: async (input) => {
        this.calls.push({ name: "approve", input });
        if (input.digits === this.digits) return { ok: true, device: { id: DESKTOP, name: "desktop" } };
        this.triesLeft -= 1;
        const reason = "The digits are not those of the new device.";
        return { ok: false, code: "PAIR_MISMATCH", reason, triesLeft: this.triesLeft };
      },
      cancel: async (pairingId) => this.#note("cancel", pairingId, undefined),
    };
  }

  #devices(): LocalPorts["devices"] {
    return {
      list: async () => ({ devices: this.devices }),
      rename: async (name) => {
        this.devices = this.devices.map((one) => (one.current ? { ...one, name } : one));
        return this.#note("rename", name, { ok: true as const, devices: this.devices });
      },
      revoke: async (deviceId) => {
        const revokedAt = "2026-01-02T03:10:00.000Z";
        this.devices = this.devices.map((one) => (one.id === deviceId ? { ...one, revokedAt } : one));
        return this.#note("revoke", deviceId, { ok: true as const, devices: this.devices });
      },
      fingerprint: async () =>
        this.view.state === "active" ? { fingerprint: "ABCDE-FGHJK-MNPQR-STVWX", rosterSeq: 3, devices: 2 } : null,
    };
  }

  #sync(): LocalPorts["sync"] {
    const turn = async (name: string, over: Partial<SyncView>, input: unknown = null): Promise<SyncView> => {
      if (this.sync.state !== "off") this.sync = { ...this.sync, ...over };
      return this.#note(name, input, this.sync);
    };
    return {
      status: async () => this.sync,
      now: () => turn("now", {}),
      pause: () => turn("pause", { state: "paused" }),
      resume: () => turn("resume", { state: "working" }),
      reset: () => turn("reset", { cursor: 0, state: "working" }),
      acknowledge: () => turn("acknowledge", { suspicions: [] }),
      identity: (choice) =>
        turn("identity", this.staysCopy === null ? { ask: null } : { error: this.staysCopy }, choice),
    };
  }
}

function refused(code: Extract<SignedUp, { ok: false }>["code"], reason: string) {
  return { ok: false as const, code, reason };
}

function next<T>(states: T[], none: T): T {
  return (states.length > 1 ? states.shift() : states[0]) ?? none;
}
