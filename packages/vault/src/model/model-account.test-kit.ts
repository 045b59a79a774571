import { toHex } from "../bytes/text.ts";
import { Keyring } from "../keys/keyring.ts";
import type { Outcome } from "../outcome.ts";
import { recoveryKeys } from "../recovery/recovery-code.ts";
import { foldRoster } from "../roster/fold-roster.ts";
import { epochOp, makeStatement } from "../roster/make-statement.ts";
import type { Role } from "../roster/statement.ts";
import type { WriteAccess } from "../sealing/access.ts";
import { type OpenedRecord, openRecord } from "../sealing/record.ts";
import { type OpenedSegment, openSegment, type SegmentPlace } from "../sealing/segment.ts";
import { AT, addOp, idOf, must, SECRET, seedOfName, type WorldDevice, worldDevice } from "../vault-world.test-kit.ts";

const ALL: Role[] = ["admin", "command", "run"];

/** Whole numbers below `below`, the same for one seed. */
export type Dice = (below: number) => number;

/** mulberry32. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The vault of the model: three devices that write, and one that is new and holds nothing. All seeds share it. */
export async function openAccount() {
  const names = ["model a", "model b", "model c", "model fresh"];
  const devices = await Promise.all(names.map(worldDevice));
  const [founder] = devices as [WorldDevice];
  const recovery = await recoveryKeys(SECRET);
  const root = await seedOfName("model root");
  const ops = [
    addOp(founder, ALL),
    { op: "recovery", sign: recovery.sign.publicKey, agree: recovery.agree.publicKey } as const,
    await epochOp(1, root),
  ];
  const cosigner = { by: "recovery", privateKey: recovery.sign.privateKey };
  const first = await makeStatement({ roster: null, at: AT, ops }, founder.signer, cosigner);
  const founded = must(await foldRoster([first]));
  const others = devices.slice(1).map((device) => addOp(device, ALL));
  const second = await makeStatement({ roster: founded, at: AT, ops: others }, founder.signer);
  const roster = must(await foldRoster([second], founded));
  const keys = new Keyring(roster.vault);
  await keys.add(roster, { epoch: 1, root });
  const accesses = devices.map(
    (device): WriteAccess => ({ roster, keys, device: device.id, signKey: device.keys.sign.privateKey }),
  );
  const streams = await Promise.all(names.map((name) => idOf(`${name} log`)));
  const notes = await Promise.all(names.flatMap((name) => [0, 1, 2].map((at) => idOf(`${name} record ${at}`))));
  const shared = await Promise.all([0, 1].map((at) => idOf(`model shared ${at}`)));
  return { roster, keys, accesses, ids: devices.map(({ id }) => id), streams, notes, shared };
}
export type Account = Awaited<ReturnType<typeof openAccount>>;

/** Answers are kept by the very bytes: whatever a liar changed is another array, and is opened anew. */
function once<T>(open: (item: Uint8Array) => Promise<T>, memory: WeakMap<Uint8Array, Map<string, Promise<T>>>) {
  return (item: Uint8Array, place: string): Promise<T> => {
    const places = memory.get(item) ?? new Map<string, Promise<T>>();
    memory.set(item, places);
    const known = places.get(place) ?? open(item);
    places.set(place, known);
    return known;
  };
}

const records = new WeakMap<Uint8Array, Map<string, Promise<Outcome<OpenedRecord>>>>();
const segments = new WeakMap<Uint8Array, Map<string, Promise<Outcome<OpenedSegment>>>>();

/** Opens the same bytes at the same place once for all devices: they hold the same roster and roots. */
export function openOnce(account: Account, item: Uint8Array, place: { kind: number; id: string }) {
  return once((given) => openRecord(account, given, place), records)(item, `${place.kind}/${place.id}`);
}

/** The same of a segment, for readers that hold the same of its log. */
export function openSegmentOnce(account: Account, item: Uint8Array, place: SegmentPlace) {
  const { stream, writer, held } = place;
  const name = `${stream}/${writer}/${held.last}/${toHex(held.tail)}`;
  return once((given) => openSegment(account, given, place), segments)(item, name);
}
