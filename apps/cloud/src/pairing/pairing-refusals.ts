/** What is told of a pairing that expired, has ended, was never there or is somebody else's: all the same. */
export const EXPIRED = {
  ok: false,
  code: "PAIR_EXPIRED",
  reason: "This pairing has ended or was never there. Start again on the new device.",
} as const;

export const NOT_ADMIN = {
  ok: false,
  code: "NOT_ALLOWED",
  reason: "Only an admin device may let another one in.",
} as const;
