/** How an invitation is written: in a QR that a phone's camera opens, and as a person pastes it into a terminal. */

/** 128 random bits, base64url without padding. */
const INVITATION = /^[A-Za-z0-9_-]{21}[AQgw]$/;
const ADDRESS = /^(https?:\/\/[^/?#\s@]+)\/pair#i\.([^#]*)$/i;

export interface ReadInvitation {
  /** The cloud that made it; null where the text was the invitation alone. */
  origin: string | null;
  invitation: string;
}

/** The text of an invitation's QR. `origin` is scheme://host[:port]; what follows # never leaves a browser by itself. */
export function writeInvitation(origin: string, invitation: string): string {
  return `${origin}/pair#i.${invitation}`;
}

/** Reads a whole address or the invitation alone; null for what is neither. */
export function readInvitation(text: string): ReadInvitation | null {
  const typed = text.trim();
  const [, origin = null, invitation = typed] = ADDRESS.exec(typed) ?? [];
  return INVITATION.test(invitation) ? { origin, invitation } : null;
}
