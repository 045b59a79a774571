import type { VaultCode } from "./vault-error.ts";

/** What each code means to a person: what happened, what was kept, what to do next. */
const WORDS: Readonly<Record<VaultCode, string>> = {
  BAD_FORMAT: "Something damaged came from the cloud. It was put aside; nothing here was changed.",
  BAD_KEY: "A key that proves nothing was offered. It was refused.",
  BAD_SIGNATURE: "Something came that none of your devices signed. It was put aside; nothing here was changed.",
  BAD_SEAL: "Something came that was altered on its way. It was put aside; nothing here was changed.",
  BAD_ROOT: "A key came that is not this vault's. It was refused; keep working here and look at your other devices.",
  BAD_ROSTER: "The list of your devices as the cloud gave it breaks its own rules. The list held here was kept.",
  BAD_CODE: "This is not the recovery code. Look for a mistyped symbol; nothing was sent.",
  UNKNOWN_FORMAT: "This was written by a newer version. It is kept sealed: update Code Hands to read it.",
  UNKNOWN_DEVICE: "This came from a device that is no member, or no longer one. It was not taken.",
  TOO_LARGE: "This is larger than anything may be. It was put aside.",
  KEY_MISSING: "The newest key has not reached this device yet. Nothing is sent until an admin device has been online.",
  WRONG_PLACE: "The cloud gave something else than was asked for. It was put aside; nothing here was changed.",
  NOT_ALLOWED: "A device wrote what its role does not allow. It was not taken.",
  GAP: "Events between are missing. They are asked for again.",
  FORK: "The cloud has another history than this device. The one held here was kept; do not approve anything yet.",
  ROLLBACK: "The cloud sent an older version than this device already had. Kept the newer one.",
  TRUNCATED: "Events of this session have not been delivered.",
  WITHHELD: "Another device wrote something that the cloud does not deliver. Look before you approve anything.",
  EQUIVOCATION:
    "Two of your devices were shown different histories. Do not approve anything; run `codehands devices verify` on both.",
  VAULT_CHANGED:
    "The account has another vault now. Sync is stopped; everything here is kept. Pair this device again to join it.",
  STALE_EPOCH: "This was sealed with an older key. It is sealed again by whoever sent it.",
  STALE_COMMAND: "The command was meant for this device as it was before it was restored. Send it again.",
  STALE_STATUS: "The session has moved on since the command was sent. Look at it and decide again.",
  STALE_TREE: "The change is not the one that was reviewed. Nothing was approved: review it again.",
  ALREADY_APPLIED: "This command has been carried out already.",
  CONFLICT: "Another device was quicker. The newer state is fetched, then it is tried again.",
  PAIR_COMMITMENT: "The new device is not the one that began this pairing. Pairing was stopped; start again.",
  PAIR_MISMATCH:
    "The digits are not those of the new device. Nothing was shared; start again if the tries are used up.",
  PAIR_EXPIRED: "The pairing took longer than ten minutes. Nothing was shared; start again.",
};

/** A code in plain words. */
export const explainCode = (code: VaultCode): string => WORDS[code];
