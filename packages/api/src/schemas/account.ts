/** The account of this device: signing up, in and out, and getting back in. Secrets travel on loopback only. */
import * as z from "zod";

/** Where a cloud is: `https://…`, or `http://` for one on this machine or a trusted network. */
const cloudUrl = z.url({ protocol: /^https?$/ }).max(2_000);
const email = z.string().trim().min(3).max(320);
const password = z.string().min(1).max(1_024);

export const accountView = z.object({
  /**
   * `signed_out`: no account. `locked`: logged in without keys; pair, or use the recovery code. `active`: syncing, or
   * trying to. `stopped`: a person has to act, `reason` says on what.
   */
  state: z.enum(["signed_out", "locked", "active", "stopped"]),
  cloudUrl: z.string().nullable(),
  email: z.string().nullable(),
  deviceId: z.string().nullable(),
  roles: z.array(z.enum(["admin", "command", "run"])),
  /** With `locked`: what the account holds. */
  devices: z.number().nullable(),
  sessions: z.number().nullable(),
  /** One sentence for a person; null when nothing is wrong. */
  reason: z.string().nullable(),
});
export type AccountView = z.infer<typeof accountView>;

/** A device that is in no account. */
export const SIGNED_OUT: AccountView = {
  state: "signed_out",
  cloudUrl: null,
  email: null,
  deviceId: null,
  roles: [],
  devices: null,
  sessions: null,
  reason: null,
};

export const credentials = z.object({ cloudUrl, email, password });
export type Credentials = z.infer<typeof credentials>;

/** Why an account call did not succeed. Nothing was changed unless the sentence says so. */
export const ACCOUNT_CODES = [
  "signed_in_already",
  "not_signed_in",
  "wrong_password",
  "bad_code",
  "too_many",
  "unreachable",
  "locked",
  "refused",
] as const;
const refusedAccount = z.object({ ok: z.literal(false), code: z.enum(ACCOUNT_CODES), reason: z.string() });

export const signedUp = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    account: accountView,
    /** Shown once and never stored: the only way back when every device is lost. Null when none was made. */
    recoveryCode: z.string().nullable(),
  }),
  refusedAccount,
]);
export type SignedUp = z.infer<typeof signedUp>;

export const recoverInput = z.object({ ...credentials.shape, code: z.string().min(1).max(200) });
export type RecoverInput = z.infer<typeof recoverInput>;

export const recovered = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    account: accountView,
    /** The code that replaces the used one. */
    recoveryCode: z.string(),
    /** The other devices of the account: a lost one is removed with `devices.revoke`. */
    others: z.array(z.object({ id: z.string(), name: z.string().nullable(), platform: z.string() })),
    /** What the person is told: the cloud could have shown an older state. */
    caution: z.string(),
  }),
  refusedAccount,
]);
export type Recovered = z.infer<typeof recovered>;

export const renewedCode = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** Shown once and never stored. The one before it opens nothing from now on. */
    recoveryCode: z.string(),
  }),
  refusedAccount,
]);
export type RenewedCode = z.infer<typeof renewedCode>;

export const logOutInput = z.object({
  /** Also ends every login of the account in browsers. */
  all: z.boolean().default(false),
});
export type LogOutInput = z.infer<typeof logOutInput>;
export const loggedOut = z.object({
  ok: z.literal(true),
  /** What was kept and what is still to be done elsewhere, one sentence each. */
  notes: z.array(z.string()),
});
export type LoggedOut = z.infer<typeof loggedOut>;
