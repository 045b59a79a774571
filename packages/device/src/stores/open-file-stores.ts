import { randomUUID } from "node:crypto";
import { chmod, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DeviceError } from "../device-error.ts";
import type { DeviceOptions } from "../ports/device-options.ts";
import { textOf } from "../replica/read-json.ts";
import { NODE_PORTS } from "../sealing/node-ports.ts";
import { FileAccountStore } from "./file-account-store.ts";
import { FileKeyStore } from "./file-key-store.ts";
import { JournalDeviceStore } from "./journal-device-store.ts";
import { readStored } from "./read-stored.ts";
import { writeDurably } from "./write-durably.ts";

/** What of a device's options is kept in a folder. */
export interface FileStores extends Pick<DeviceOptions, "store" | "account" | "keys" | "deviceId" | "ports"> {
  close(): Promise<void>;
}

/**
 * The stores of a program: its database, its account and its keys, in a folder that this user alone opens. Throws
 * `broken_store` for a folder that another process uses, or that is damaged.
 */
export async function openFileStores(folder: string): Promise<FileStores> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const lock = join(folder, "lock");
  await takeLock(lock);
  try {
    const deviceId = await deviceIdOf(join(folder, "device.json"));
    const store = await JournalDeviceStore.open({ path: join(folder, "replica.jsonl"), deviceId });
    return {
      store,
      account: new FileAccountStore(join(folder, "account.json"), () => store.wipe()),
      keys: new FileKeyStore(join(folder, "keys.json")),
      deviceId,
      ports: NODE_PORTS,
      async close() {
        await store.close();
        await rm(lock, { force: true });
      },
    };
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

async function deviceIdOf(path: string): Promise<string> {
  const known = textOf(await readStored(path), "deviceId");
  if (known !== null) return known;
  const deviceId = randomUUID();
  await writeDurably(path, `${JSON.stringify({ deviceId })}\n`);
  return deviceId;
}

async function takeLock(path: string, again = false): Promise<void> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const holder = Number(await readFile(path, "utf8").catch(() => ""));
    if (again || isAlive(holder))
      throw new DeviceError(
        "broken_store",
        `Another process (${holder}) uses this folder. If it does not, remove ${path}.`,
      );
    // Its holder went away without closing.
    await rm(path, { force: true });
    await takeLock(path, true);
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
