import { joinBytes } from "./bytes/join-bytes.ts";
import { utf8 } from "./bytes/text.ts";
import { uuidText } from "./bytes/uuid.ts";
import type { DeviceKeys } from "./keys/device-keys.ts";
import { Keyring } from "./keys/keyring.ts";
import type { Outcome } from "./outcome.ts";
import { sha256 } from "./primitives/hash.ts";
import { keyPairFromSeed } from "./primitives/key-pair.ts";
import { recoveryKeys } from "./recovery/recovery-code.ts";
import { foldRoster } from "./roster/fold-roster.ts";
import { epochOp, makeStatement, type Signer } from "./roster/make-statement.ts";
import type { Roster } from "./roster/roster.ts";
import type { Role, RosterOp, Statement } from "./roster/statement.ts";
import type { WriteAccess } from "./sealing/access.ts";

/** 32 bytes that are the same in every run. */
export const seedOfName = (name: string): Promise<Uint8Array> => sha256(utf8(`codehands test seed ${name}`));

/** An id that is the same in every run. */
export async function idOf(name: string): Promise<string> {
  const bytes = (await sha256(utf8(`codehands test id ${name}`))).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidText(bytes);
}

/** Random bytes that are the same in every run: SHA-256 of a counter. */
export async function countedRandom(name: string, blocks = 64): Promise<(count: number) => Uint8Array> {
  const parts = Array.from({ length: blocks }, (_, at) => sha256(utf8(`${name}/${at}`)));
  const stream = joinBytes(...(await Promise.all(parts)));
  let at = 0;
  return (count) => stream.slice(at, (at += count));
}

export interface WorldDevice {
  name: string;
  id: string;
  keys: DeviceKeys;
  signer: Signer;
}

export async function worldDevice(name: string): Promise<WorldDevice> {
  const id = await idOf(name);
  const sign = await keyPairFromSeed("Ed25519", await seedOfName(`${name} sign`));
  const agree = await keyPairFromSeed("X25519", await seedOfName(`${name} agree`));
  return { name, id, keys: { sign, agree }, signer: { by: id, privateKey: sign.privateKey } };
}

export const addOp = ({ id, keys }: WorldDevice, roles: Role[], platform = "linux"): RosterOp => ({
  op: "add",
  id,
  sign: keys.sign.publicKey,
  agree: keys.agree.publicKey,
  roles,
  platform,
});

/** The value of an outcome that a test is sure of; throws what was refused. */
export function must<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.code}: ${outcome.reason}`);
}

/** The code that something was refused with, or "ok". */
export const codeOf = (outcome: { ok: true } | { ok: false; code: string }): string =>
  outcome.ok ? "ok" : outcome.code;

export const AT = "2026-01-01T00:00:00.000Z";
export const SECRET = "0123456789ABCDEFGHJKMNPQRS";
const ALL: Role[] = ["admin", "command", "run"];

/**
 * The vault of the vectors. rosters[0]: the laptop founds it · [1]: the laptop lets the desktop in · [2]: the desktop
 * lets the phone in, which may command · [3]: the laptop removes the phone, epoch 2. Mallory is nowhere in it.
 */
export async function buildWorld() {
  const [laptop, desktop, phone, mallory] = await Promise.all(
    ["laptop", "desktop", "phone", "mallory"].map(worldDevice),
  );
  if (!laptop || !desktop || !phone || !mallory) throw new Error("four devices");
  const recovery = await recoveryKeys(SECRET);
  const recoverySigner: Signer = { by: "recovery", privateKey: recovery.sign.privateKey };
  const recoveryOp: RosterOp = { op: "recovery", sign: recovery.sign.publicKey, agree: recovery.agree.publicKey };
  const roots = [await seedOfName("root 1"), await seedOfName("root 2")] as const;
  const statements: Statement[] = [];
  const rosters: Roster[] = [];
  const say = async (ops: RosterOp[], signer: Signer, cosigner?: Signer): Promise<void> => {
    const statement = await makeStatement({ roster: rosters.at(-1) ?? null, at: AT, ops }, signer, cosigner);
    statements.push(statement);
    rosters.push(must(await foldRoster([statement], rosters.at(-1) ?? null)));
  };
  await say([addOp(laptop, ALL), recoveryOp, await epochOp(1, roots[0])], laptop.signer, recoverySigner);
  await say([addOp(desktop, ALL)], laptop.signer);
  await say([addOp(phone, ["command"], "web")], desktop.signer);
  await say([{ op: "remove", id: phone.id, cut: null }, await epochOp(2, roots[1])], laptop.signer);
  const [founded, paired, three, rotated] = rosters;
  if (!founded || !paired || !three || !rotated) throw new Error("four statements");
  const keys = new Keyring(rotated.vault);
  await keys.add(rotated, { epoch: 1, root: roots[0] });
  await keys.add(rotated, { epoch: 2, root: roots[1] });
  /** What a device seals with; its epoch is the roster's. */
  const access = (device: WorldDevice, roster: Roster): WriteAccess => ({
    roster,
    keys,
    device: device.id,
    signKey: device.keys.sign.privateKey,
  });
  const people = { laptop, desktop, phone, mallory, recovery, recoverySigner, recoveryOp };
  return { ...people, roots, statements, founded, paired, three, rotated, keys, access };
}

export type World = Awaited<ReturnType<typeof buildWorld>>;

/** An event as an owner stores it: one line of JSON. */
export const eventLine = (seq: number, more = ""): Uint8Array =>
  utf8(JSON.stringify({ seq, type: "text", at: AT, text: `event ${seq}${more}` }));
