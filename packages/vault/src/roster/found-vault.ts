import type { Envelope } from "../envelopes/envelope.ts";
import { sealEpochEnvelopes } from "../envelopes/seal-envelope.ts";
import type { DeviceKeys } from "../keys/device-keys.ts";
import { newRoot } from "../keys/root-key.ts";
import { type RandomBytes, randomBytes } from "../primitives/web-crypto.ts";
import { foldStatements } from "./fold-roster.ts";
import { epochOp, makeStatement } from "./make-statement.ts";
import type { Roster } from "./roster.ts";
import { ROLES, type RosterOp, type Statement } from "./statement.ts";

export interface Founder {
  id: string;
  keys: DeviceKeys;
  platform: string;
  /** Of the recovery code that the person was just shown. */
  recovery: DeviceKeys;
  /** ISO, for display only. */
  at: string;
  random?: RandomBytes;
}

export interface NewEpoch {
  statement: Statement;
  envelopes: Envelope[];
  roster: Roster;
  /** The new root: kept by a native admin, who hands it on. */
  root: Uint8Array;
}

const memberOp = ({ id, keys, platform }: Founder): RosterOp => {
  const { sign, agree } = keys;
  return { op: "add", id, sign: sign.publicKey, agree: agree.publicKey, roles: [...ROLES], platform };
};

const recoveryOp = ({ sign, agree }: DeviceKeys): RosterOp => ({
  op: "recovery",
  sign: sign.publicKey,
  agree: agree.publicKey,
});

/** Statement 0 and its envelopes: the first device, the recovery key and epoch 1 (V7). */
export async function foundVault(founder: Founder): Promise<NewEpoch> {
  const root = newRoot(founder.random ?? randomBytes);
  const ops = [memberOp(founder), recoveryOp(founder.recovery), await epochOp(1, root)];
  const signer = { by: founder.id, privateKey: founder.keys.sign.privateKey };
  const recovery = { by: "recovery", privateKey: founder.recovery.sign.privateKey };
  const statement = await makeStatement({ roster: null, at: founder.at, ops }, signer, recovery);
  const roster = await foldStatements([statement], null);
  const envelopes = await sealEpochEnvelopes(roster, [{ epoch: 1, root }], signer);
  return { statement, envelopes, roster, root };
}

export interface Rotation {
  roster: Roster;
  /** An active admin's. */
  by: string;
  keys: DeviceKeys;
  at: string;
  /** Ops that come before the new epoch: remove, roles. */
  ops: readonly RosterOp[];
  /** A new recovery key, with the root of every epoch so far, which its envelope then holds (V18). */
  recovery?: { keys: DeviceKeys; roots: readonly { epoch: number; root: Uint8Array }[] };
  random?: RandomBytes;
}

/** A statement with a new epoch and the envelopes for everybody who stays (V7, V8, V18). Throws what folding it throws. */
export async function startEpoch(rotation: Rotation): Promise<NewEpoch> {
  const { roster: before, by, keys, at, recovery, random = randomBytes } = rotation;
  const root = newRoot(random);
  const ops = [...rotation.ops, ...(recovery ? [recoveryOp(recovery.keys)] : [])];
  ops.push(await epochOp(before.epoch + 1, root));
  const signer = { by, privateKey: keys.sign.privateKey };
  const cosigner = recovery && { by: "recovery", privateKey: recovery.keys.sign.privateKey };
  const statement = await makeStatement({ roster: before, at, ops }, signer, cosigner);
  const roster = await foldStatements([statement], before);
  const roots = [...(recovery?.roots ?? []), { epoch: roster.epoch, root }];
  return { statement, envelopes: await sealEpochEnvelopes(roster, roots, signer), roster, root };
}

/** The statement by which a recovery code lets a new device in, signed by the recovery key (V34). */
export async function joinByRecovery(
  roster: Roster,
  { id, keys, platform, recovery, at }: Founder,
): Promise<{ statement: Statement; roster: Roster }> {
  const ops = [memberOp({ id, keys, platform, recovery, at })];
  const signer = { by: "recovery", privateKey: recovery.sign.privateKey };
  const statement = await makeStatement({ roster, at, ops }, signer);
  return { statement, roster: await foldStatements([statement], roster) };
}
