import { lstat, readFile, rm } from "node:fs/promises";
import { DeviceError, type DeviceSecrets, type KeptRoot, type KeyStore } from "@codehands/client";
import {
  type DeviceKeys,
  exportDeviceKeys,
  importDeviceKeys,
  makeDeviceKeys,
  type StoredDeviceKeys,
} from "@codehands/client/store";
import * as z from "zod";
import { replaceFile } from "../settings/replace-file.ts";

const seed = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const shape = z.object({
  v: z.literal(1),
  sign: seed,
  agree: seed,
  roots: z.array(z.object({ epoch: z.int().min(1), root: seed })),
});
type Content = z.infer<typeof shape>;

/**
 * The secrets of this device in one file that nobody else can read (V5). A file that others can read or write is
 * refused: whoever could read it may have copied it.
 */
export function createKeyFile(file: string): KeyStore {
  return {
    keepsRootBytes: true,
    make: () => makeDeviceKeys({ extractable: true }),
    async load() {
      const content = await read(file);
      if (content === null) return null;
      const keys = await importDeviceKeys({ v: 1, sign: content.sign, agree: content.agree });
      const roots = content.roots.map(({ epoch, root }) => ({
        epoch,
        root: new Uint8Array(Buffer.from(root, "base64url")),
      }));
      return { keys, roots };
    },
    async save(secrets) {
      const keys = await seedsOf(file, secrets.keys);
      const roots = secrets.roots.map((root) => ({ epoch: root.epoch, root: bytesOf(root) }));
      await replaceFile(file, `${JSON.stringify({ ...keys, roots } satisfies Content)}\n`);
    },
    clear: () => rm(file, { force: true }),
  };
}

/** The seeds of keys to be stored: those that the file holds already are no longer told by the keys themselves. */
async function seedsOf(file: string, keys: DeviceSecrets["keys"]): Promise<StoredDeviceKeys> {
  if (keys.sign.privateKey.extractable) return await exportDeviceKeys(keys);
  const held = await read(file);
  if (held === null) throw broken(file, "it is gone, and these keys cannot be written again");
  const { sign, agree } = held;
  const stored: StoredDeviceKeys = { v: 1, sign, agree };
  if (!isSame(await importDeviceKeys(stored), keys)) throw broken(file, "it holds the keys of another device");
  return stored;
}

function isSame(held: DeviceKeys, keys: DeviceKeys): boolean {
  const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
  return equal(held.sign.publicKey, keys.sign.publicKey) && equal(held.agree.publicKey, keys.agree.publicKey);
}

function bytesOf(root: KeptRoot): string {
  if ("root" in root) return Buffer.from(root.root).toString("base64url");
  throw new DeviceError("no_keys", "A root key that cannot leave its place is not for a key file.");
}

async function read(file: string): Promise<Content | null> {
  const about = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw broken(file, `it cannot be read (${error.code ?? error.message})`);
  });
  if (about === null) return null;
  if (!about.isFile()) throw broken(file, "it is no plain file");
  if (process.getuid !== undefined && about.uid !== process.getuid()) throw broken(file, "it belongs to another user");
  if ((about.mode & 0o077) !== 0) {
    throw new DeviceError(
      "no_keys",
      `${file} can be read or written by other users, so its keys are not used. Nothing was changed. If nobody else was at this machine, run: chmod 600 ${file}. Otherwise log out here, remove this device on another one, and log in again.`,
    );
  }
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw broken(file, `it cannot be read (${error.code ?? error.message})`);
  });
  const parsed = shape.safeParse(jsonOf(text));
  // What is wrong with it is not told: the words would be parts of the keys.
  if (!parsed.success) throw broken(file, "it is damaged");
  return parsed.data;
}

function broken(file: string, why: string): DeviceError {
  return new DeviceError(
    "no_keys",
    `The keys of this device in ${file} cannot be used: ${why}. Nothing was changed. Put the file back from a backup, or log out and log in again.`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
