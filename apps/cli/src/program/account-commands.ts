import { ROLES } from "../pairing/roles.ts";
import type { CommandSpec, FlagSpec } from "./command-spec.ts";
import { someOf } from "./parse-value.ts";

const group = "Account:";
/** Of a device that is let in. */
const roles = {
  flags: "--roles <roles>",
  about: `what it may: ${ROLES.join(", ")} (default all; command alone for a browser)`,
  parse: () => someOf("--roles", ROLES),
  words: ROLES,
};
const server: FlagSpec = { flags: "--server <url>", about: "the cloud; default is the setting cloud.url" };
const credentials: readonly FlagSpec[] = [
  server,
  { flags: "--email <address>", about: "who you are" },
  { flags: "--password-stdin", about: "the password is a line of stdin, nothing is asked" },
];

/** The commands about the account, its devices and the sync with the cloud. */
export const ACCOUNT_COMMANDS: readonly CommandSpec[] = [
  {
    path: "signup",
    about: "make an account with this device as its first; the recovery code is shown once",
    group,
    decides: true,
    flags: credentials,
    load: async () => (await import("../commands/signup.ts")).signup,
  },
  {
    path: "login",
    about: "log in; another device or the recovery code then brings the keys",
    group,
    decides: true,
    flags: credentials,
    load: async () => (await import("../commands/login.ts")).login,
  },
  {
    path: "logout",
    about: "forget the keys and what came from other devices; what was made here stays",
    group,
    decides: true,
    flags: [{ flags: "--all", about: "also end every login of the account in browsers" }],
    load: async () => (await import("../commands/logout.ts")).logout,
  },
  {
    path: "whoami",
    about: "the account of this device",
    group,
    load: async () => (await import("../commands/whoami.ts")).whoami,
  },
  {
    path: "recover",
    about: "join with the recovery code when every device is lost (with --password-stdin its second line)",
    group,
    decides: true,
    flags: [
      ...credentials,
      { flags: "--renew", about: "on a device that is signed in: make a new code, the one before it is void" },
    ],
    load: async () => (await import("../commands/recover.ts")).recover,
  },
  {
    path: "pair",
    about: "ask another device of the account to let this one in; with --json one yes on stdin, or --yes",
    group,
    decides: true,
    flags: [
      server,
      { flags: "--phone", about: "on a device that is signed in: a QR for a phone's camera; its digits are asked for" },
      { ...roles, about: `with --phone: ${roles.about}` },
      { flags: "--invitation <address>", about: "what pair --phone shows elsewhere, in the place of a code" },
    ],
    load: async () => (await import("../commands/pair.ts")).pair,
  },
  {
    path: "pair approve",
    args: "<code>",
    about: "let the device in that shows this code (without digits: say who asks, exit 8)",
    group,
    decides: true,
    flags: [
      { flags: "--digits <digits>", about: "the six digits that the new device shows; asked for when absent" },
      { flags: "--digits-stdin", about: "the digits are a line of stdin, read once the device was found" },
      roles,
    ],
    load: async () => (await import("../commands/pair-approve.ts")).pairApprove,
  },
  {
    path: "devices ls",
    about: "the devices of the account",
    group,
    load: async () => (await import("../commands/devices-ls.ts")).devicesLs,
  },
  {
    path: "devices rename",
    args: "<name...>",
    about: "give this device another name",
    group,
    decides: true,
    load: async () => (await import("../commands/devices-rename.ts")).devicesRename,
  },
  {
    path: "devices revoke",
    args: "<device>",
    about: "remove another device from the account for good",
    group,
    completes: "devices",
    decides: true,
    load: async () => (await import("../commands/devices-revoke.ts")).devicesRevoke,
  },
  {
    path: "devices verify",
    about: "symbols to compare with another device: equal when the cloud shows both the same",
    group,
    load: async () => (await import("../commands/devices-verify.ts")).devicesVerify,
  },
  {
    path: "sync status",
    about: "the last exchange with the cloud, what is pending, and commands sent to other devices",
    group,
    load: async () => (await import("../commands/sync-status.ts")).syncStatus,
  },
  {
    path: "sync now",
    about: "exchange at once",
    group,
    load: async () => (await import("../commands/sync-now.ts")).syncNow,
  },
  {
    path: "sync pause",
    about: "exchange nothing until sync resume",
    group,
    decides: true,
    load: async () => (await import("../commands/sync-pause.ts")).syncPause,
  },
  {
    path: "sync resume",
    about: "go on after sync pause",
    group,
    decides: true,
    load: async () => (await import("../commands/sync-resume.ts")).syncResume,
  },
  {
    path: "sync reset",
    about: "ask the cloud for everything again; nothing held here is lost",
    group,
    decides: true,
    load: async () => (await import("../commands/sync-reset.ts")).syncReset,
  },
  {
    path: "sync acknowledge",
    about: "you have looked at what does not fit: obey other devices again",
    group,
    decides: true,
    load: async () => (await import("../commands/sync-acknowledge.ts")).syncAcknowledge,
  },
  {
    path: "sync identity",
    args: "<which>",
    about: "after this home was copied: new (a device of its own) or this (the device itself)",
    group,
    completes: ["new", "this"],
    decides: true,
    load: async () => (await import("../commands/sync-identity.ts")).syncIdentity,
  },
  {
    path: "withdraw",
    args: "<command>",
    about: "take back a command that another device has not begun (its id is in sync status)",
    group,
    decides: true,
    load: async () => (await import("../commands/withdraw.ts")).withdraw,
  },
];
