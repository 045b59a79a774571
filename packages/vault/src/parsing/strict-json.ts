import { fromBase64url } from "../bytes/base64url.ts";
import { fromUtf8 } from "../bytes/text.ts";
import { isUuid } from "../bytes/uuid.ts";
import { fail, type VaultCode, VaultError } from "../vault-error.ts";

/** Reads one value, or throws BAD_FORMAT. */
export type Shape<T> = (value: unknown) => T;

type Shapes = Readonly<Record<string, Shape<unknown>>>;
type Read<R extends Shapes> = { [K in keyof R]: ReturnType<R[K]> };

/** A text of at most `most` characters. */
export const text =
  (most: number): Shape<string> =>
  (value) =>
    typeof value === "string" && value.length <= most ? value : fail("BAD_FORMAT", "text");

/** A whole number in a range, both ends included. */
export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Shape<number> =>
  (value) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most
      ? value
      : fail("BAD_FORMAT", "number");

/** An id in lower case. */
export const uuid: Shape<string> = (value) =>
  typeof value === "string" && isUuid(value) ? value : fail("BAD_FORMAT", "id");

/** Base64url of so many bytes; of any number up to `most` when `size` is null. */
export const bytes =
  (size: number | null, most = Number.MAX_SAFE_INTEGER): Shape<Uint8Array> =>
  (value) => {
    if (typeof value !== "string" || value.length > Math.ceil((most * 4) / 3)) fail("BAD_FORMAT", "bytes");
    const read = fromBase64url(value);
    return size === null || read.length === size ? read : fail("BAD_FORMAT", "bytes");
  };

/** One of a few texts. */
export const oneOf =
  <T extends string>(...names: readonly T[]): Shape<T> =>
  (value) =>
    names.find((name) => name === value) ?? fail("BAD_FORMAT", "name");

export const nullOr =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null ? null : shape(value);

export const listOf =
  <T>(shape: Shape<T>, most: number): Shape<T[]> =>
  (value) =>
    Array.isArray(value) && value.length <= most ? value.map((item) => shape(item)) : fail("BAD_FORMAT", "list");

/** An object whose names are read by one shape and whose values by another. */
export const mapOf =
  <T>(key: Shape<string>, shape: Shape<T>): Shape<Record<string, T>> =>
  (value) =>
    Object.fromEntries(Object.entries(plainObject(value)).map(([name, item]) => [key(name), shape(item)]));

/** An object with exactly these fields. */
export const object = <R extends Shapes>(required: R): Shape<Read<R>> => objectWith(required, {});

/** An object with exactly these fields, of which those of `optional` may be absent. */
export const objectWith =
  <R extends Shapes, O extends Shapes>(required: R, optional: O): Shape<Read<R> & Partial<Read<O>>> =>
  (value) => {
    const given = plainObject(value);
    if (Object.keys(given).some((name) => !Object.hasOwn(required, name) && !Object.hasOwn(optional, name)))
      fail("BAD_FORMAT", "a field too many");
    const read: Record<string, unknown> = {};
    for (const [name, shape] of Object.entries(required)) {
      if (!Object.hasOwn(given, name)) fail("BAD_FORMAT", `no ${name}`);
      read[name] = shape(given[name]);
    }
    for (const [name, shape] of Object.entries(optional))
      if (Object.hasOwn(given, name)) read[name] = shape(given[name]);
    return read as Read<R> & Partial<Read<O>>;
  };

/** An object of JSON, or BAD_FORMAT. */
export function plainObject(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail("BAD_FORMAT", "object");
  return value as Record<string, unknown>;
}

/** JSON of exactly these bytes. Throws BAD_FORMAT, never with a piece of the text. */
export function parseJson(json: Uint8Array): unknown {
  const source = fromUtf8(json);
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return fail("BAD_FORMAT", "JSON");
  }
}

/** Reads with another code than BAD_FORMAT for whatever has the wrong shape. */
export function readAs<T>(code: VaultCode, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof VaultError && error.code === "BAD_FORMAT") fail(code, error.reason);
    throw error;
  }
}
