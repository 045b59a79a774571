import { toHex } from "../bytes/text.ts";
import { isShared } from "../records/accept-record.ts";
import type { DeviceView } from "../records/device-record.ts";
import { isDeleted, LIES, type LieName } from "./lies.test-kit.ts";
import { type Account, type Dice, diceOf } from "./model-account.test-kit.ts";
import { type Answers, HONEST, keyOf, ModelCloud } from "./model-cloud.test-kit.ts";
import { ModelDevice } from "./model-device.test-kit.ts";
import { randomLiar } from "./random-liar.test-kit.ts";

interface Run {
  account: Account;
  dice: Dice;
  cloud: ModelCloud;
  devices: ModelDevice[];
}

const STEPS = 40;

function startRun(account: Account, seed: number): Run {
  const devices = [0, 1, 2].map((place) => new ModelDevice(account, place));
  return { account, dice: diceOf(seed), cloud: new ModelCloud(), devices };
}

async function step({ account, dice, cloud, devices }: Run): Promise<void> {
  const place = dice(devices.length);
  const device = devices[place];
  if (!device) return;
  const kind = dice(12);
  if (kind < 3) {
    const id = account.notes[place * 3 + dice(3)] ?? "";
    await device.write({ kind: 8, id, body: { text: `note ${dice(1000)}` }, deleted: dice(8) === 0 });
  } else if (kind < 5) await device.append(1 + dice(3));
  else if (kind < 6) await device.write({ kind: 9, id: account.shared[dice(2)] ?? "", body: { value: dice(1000) } });
  else if (kind < 9) await device.push(cloud);
  else {
    // Somebody pushes between two pages of a pull.
    await device.pull(cloud, async () => {
      const other = devices[dice(devices.length)];
      if (other && other !== device && dice(2) === 0) await other.push(cloud);
    });
  }
}

async function settle({ cloud, devices }: Run, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const device of devices) {
      if (round > 0) await device.writeView();
      await device.push(cloud);
    }
    for (const device of devices) await device.pull(cloud);
  }
}

/** What one seed showed. */
export interface SeedReport {
  /** Alarms of an honest run: there are to be none. */
  falseAlarms: string[];
  /** For each lie that was possible here: what the device that it was told to said. */
  lies: Partial<Record<LieName, string[]>>;
}

/** An honest run, and then each lie told to a device about the same history. */
export async function runSeed(account: Account, seed: number): Promise<SeedReport> {
  const run = startRun(account, seed);
  for (let at = 0; at < STEPS; at++) await step(run);
  await settle(run, 2);
  const fresh = new ModelDevice(account, 3);
  await fresh.pull(run.cloud);
  const falseAlarms = [...run.devices, fresh].flatMap(({ alarms }) => alarms);
  const lies: SeedReport["lies"] = {};
  for (const [name, plan] of Object.entries(LIES) as [LieName, (typeof LIES)[LieName]][]) {
    const answers = await plan(run.cloud, { dice: run.dice, account });
    if (answers !== null) lies[name] = await tellLie(run, answers);
  }
  return { falseAlarms, lies };
}

async function tellLie({ account, cloud }: Run, answers: Answers & { toKnowing?: boolean }): Promise<string[]> {
  const victim = new ModelDevice(account, 3);
  if (answers.toKnowing) {
    await victim.pull(cloud);
    victim.cursor = 0;
  }
  cloud.answers = answers;
  await victim.pull(cloud);
  cloud.answers = HONEST;
  return victim.alarms;
}

/** What a run with a cloud that lies at random showed. */
export interface LiarReport {
  /** Accepted items that nobody wrote at that place, and events that are not the owner's. */
  accepted: string[];
  /** Devices that hold a wrong state, could have known, and said nothing. */
  unreported: string[];
  told: number;
  alarms: number;
}

/** A run in which the cloud reorders, replays, swaps, damages and withholds at random. */
export async function runLiar(account: Account, seed: number): Promise<LiarReport> {
  const run = startRun(account, seed);
  const liar = randomLiar(run.cloud, run.dice);
  for (let at = 0; at < STEPS; at++) {
    run.cloud.answers = run.dice(3) === 0 ? liar.answers : HONEST;
    await step(run);
  }
  run.cloud.answers = HONEST;
  for (const device of run.devices) await device.push(run.cloud);
  run.cloud.answers = liar.answers;
  for (const device of run.devices) await device.pull(run.cloud);
  const accepted = run.devices.flatMap((device) => forged(run, device));
  const unreported = run.devices.filter((device) => device.alarms.length === 0 && isDeceived(run, device));
  const alarms = run.devices.filter((device) => device.alarms.length > 0).length;
  return { accepted, unreported: unreported.map(({ id }) => id), told: liar.told(), alarms };
}

function forged({ cloud, account, devices }: Run, device: ModelDevice): string[] {
  const written = new Set(cloud.history.map(({ kind, id, hash }) => `${kind}/${id}/${toHex(hash)}`));
  const wrong = [...device.held.entries()]
    .filter(([key, { header, hash }]) => header.writer !== device.id && !written.has(`${key}/${toHex(hash)}`))
    .map(([key]) => key);
  for (const [place, stream] of account.streams.entries()) {
    const own = devices[place]?.logs.get(stream)?.values ?? [];
    const read = device.logs.get(stream)?.values ?? [];
    if (read.some((value, at) => toHex(value) !== toHex(own[at] ?? new Uint8Array(0)))) wrong.push(stream);
  }
  return wrong;
}

/**
 * Whether a device holds less than the device records that reached it say: the newest of X with other rows of X, or
 * somebody's word of a device record that is not here. A cloud that keeps everything back deceives nobody by that.
 */
function isDeceived({ cloud, devices }: Run, device: ModelDevice): boolean {
  return devices.some(({ id }) => {
    if (id === device.id) return false;
    const view = device.held.get(`1/${id}`);
    const newest = cloud.rows.get(`1/${id}`);
    if (!view || !newest) return false;
    const { seen } = view.body as DeviceView;
    const isBehind = Object.entries(seen).some(([other, mark]) => {
      const held = other === device.id ? device.held.get(`1/${device.id}`) : device.held.get(`1/${other}`);
      return (held?.header.n ?? 0) < mark.n;
    });
    if (isBehind) return true;
    if (view.header.n !== newest.n) return false;
    const rows = [...cloud.rows.values()].filter((row) => row.writer === id && row.kind !== 1 && !isShared(row.kind));
    return rows.some((row) => {
      const held = device.held.get(keyOf(row))?.header;
      // An older deletion in the place of a newer one says the same: only what lives is in a digest.
      return isDeleted(row) ? held !== undefined && !held.deleted : held?.n !== row.n;
    });
  });
}
