import * as z from "zod";

/** An e-mail address as it is stored and compared. */
export const emailAddress = z.string().trim().toLowerCase().pipe(z.email().max(254));
/** A password that somebody typed, right or wrong. */
export const typedPassword = z.string().min(1).max(256);
const LEAST = 8;

/** Why a password cannot be a new one; null when it can. The same for a sign-up, a change and a reset. */
export function refuseNewPassword(password: string): string | null {
  if (!typedPassword.safeParse(password).success) return "A password has 1 to 256 characters. Nothing was changed.";
  return password.length < LEAST ? `A password needs at least ${LEAST} characters. Nothing was changed.` : null;
}
