import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** 64 MiB for each hash. */
const COST = { N: 2 ** 16, r: 8, p: 1 };
const KEY_BYTES = 32;
/** Hashes at once: more would take the memory, and the threads that everything else needs. */
const AT_ONCE = 2;

/** The last hash of each place; the next one of that place waits for it. */
const places: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
let turn = 0;

/** Hashes a password with a fresh salt: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** True when the password is the one that was hashed. False for a hash that cannot be read. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split("$");
  if (kind !== "scrypt" || salt === undefined || key === undefined) return false;
  const wanted = Buffer.from(key, "base64url");
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt, "base64url"), cost);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  turn = (turn + 1) % AT_ONCE;
  const before = places[turn] ?? Promise.resolve();
  const derived = before.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        // The same letters typed on different keyboards are one password.
        scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem: 256 * 1024 ** 2 }, (error, key) => {
          if (error === null) resolve(key);
          else reject(error);
        });
      }),
  );
  places[turn] = derived.catch(() => {});
  return derived;
}
