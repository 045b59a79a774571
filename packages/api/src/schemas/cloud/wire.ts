/** The pieces that every call of the cloud is made of. Bytes travel as base64url without padding. */
import * as z from "zod";

/** Length of `bytes` bytes in base64url. */
const textLength = (bytes: number): number => Math.ceil((bytes * 4) / 3);
const B64U = /^[A-Za-z0-9_-]*$/;

/** Exactly so many bytes. */
export const bytesOf = (count: number) => z.string().length(textLength(count)).regex(B64U);
/** At most so many bytes. */
export const bytesUpTo = (count: number) => z.string().max(textLength(count)).regex(B64U);

/** An id of any 16 bytes: a derived one has no version bits. */
export const uuid = z.guid();
/** A hash, a key, a commitment or a challenge. */
export const bytes32 = bytesOf(32);
/** A vault id, a chain value or an item's short name. */
export const bytes16 = bytesOf(16);
export const signature = bytesOf(64);
/** The cloud's clock, ISO. */
export const instant = z.string();
export const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Sequence numbers stand in u32 fields. */
export const seq = z.number().int().min(0).max(0xffff_ffff);

export const roles = z.array(z.enum(["admin", "command", "run"])).max(3);
export const platform = z.enum(["linux", "darwin", "win32", "web"]);

/** Why a call was refused; the sentence is for a person. */
export const refused = <const C extends readonly [string, ...string[]]>(codes: C) =>
  z.object({ ok: z.literal(false), code: z.enum(codes), reason: z.string() });
