/** What is told of a pairing that expired, has ended, was never there or is somebody else's: all the same. */
export const EXPIRED = {
  ok: false,
  code: "PAIR_EXPIRED",
  reason: "This pairing has ended or was never there. Start again on the new device.",
} as const;

/** What is told of an invitation that was used, has expired, was never made or is of a removed device: all the same. */
export const INVITATION_GONE = {
  ok: false,
  code: "INVITATION_GONE",
  reason:
    "This invitation does not hold (any more): each is good for one new device and ten minutes. Nothing was shared. Make a new one on the device that invites.",
} as const;

export const NOT_ADMIN = {
  ok: false,
  code: "NOT_ALLOWED",
  reason: "Only an admin device may let another one in.",
} as const;
