import { toBase64url } from "../bytes/base64url.ts";
import { checkAgreementKey } from "../primitives/agreement.ts";
import { checkSigningKey } from "../primitives/signing.ts";
import { fail } from "../vault-error.ts";
import type { Roster, RosterDevice } from "./roster.ts";
import { ROSTER_LIMITS, type RosterOp, type StatementBody } from "./statement.ts";

/** A roster while statements are laid on it; it becomes a Roster once one of them brought a recovery key. */
export interface Draft {
  vault: Uint8Array;
  seq: number;
  hashes: Uint8Array[];
  epoch: number;
  commits: Map<number, Uint8Array>;
  devices: Map<string, RosterDevice>;
  recovery: Roster["recovery"] | null;
  used: Set<string>;
}

type Op<N extends RosterOp["op"]> = Extract<RosterOp, { op: N }>;

/** Lays the ops of one statement on a draft (V6, V7). Throws BAD_ROSTER, BAD_KEY. Signatures are checked elsewhere. */
export async function applyOps(draft: Draft, body: StatementBody): Promise<void> {
  const count = (name: RosterOp["op"]): number => body.ops.filter((op) => op.op === name).length;
  if (body.ops.length === 0) fail("BAD_ROSTER", "a statement without ops");
  if (count("epoch") > 1 || count("recovery") > 1) fail("BAD_ROSTER", "an op that comes once in a statement");
  if (count("epoch") === 0 && count("remove") + count("recovery") > 0) fail("BAD_ROSTER", "it needs a new epoch");
  draft.seq = body.seq;
  for (const op of body.ops) await applyOp(draft, op);
  for (const device of draft.devices.values()) if (device.removed?.seq === body.seq) device.removed.epoch = draft.epoch;
  const active = [...draft.devices.values()].filter((device) => device.removed === null);
  if (active.length > ROSTER_LIMITS.activeDevices) fail("BAD_ROSTER", "too many devices");
}

async function applyOp(draft: Draft, op: RosterOp): Promise<void> {
  switch (op.op) {
    case "add":
      return add(draft, op);
    case "remove":
      return put(draft, { ...member(draft, op.id), removed: { seq: draft.seq, epoch: draft.epoch, cut: op.cut } });
    case "roles":
      return changeRoles(draft, op);
    case "epoch":
      return nextEpoch(draft, op);
    case "recovery":
      await takeKeys(draft, op);
      draft.recovery = { sign: op.sign, agree: op.agree, seq: draft.seq };
  }
}

async function add(draft: Draft, { id, sign, agree, platform, roles }: Op<"add">): Promise<void> {
  takeOnce(draft, id);
  await takeKeys(draft, { sign, agree });
  const history = [{ seq: draft.seq, roles }];
  put(draft, { id, sign, agree, platform, roles, history, removed: null });
}

function changeRoles(draft: Draft, { id, roles }: Op<"roles">): void {
  const device = member(draft, id);
  if (roles.includes("run") !== device.roles.includes("run")) fail("BAD_ROSTER", "the role run never changes");
  const history = [...device.history.filter(({ seq }) => seq !== draft.seq), { seq: draft.seq, roles }];
  put(draft, { ...device, roles, history });
}

function nextEpoch(draft: Draft, { epoch, commit }: Op<"epoch">): void {
  if (epoch !== draft.epoch + 1) fail("BAD_ROSTER", "not the next epoch");
  draft.epoch = epoch;
  draft.commits.set(epoch, commit);
}

function member(draft: Draft, id: string): RosterDevice {
  const device = draft.devices.get(id);
  return device === undefined || device.removed !== null ? fail("BAD_ROSTER", "no such member") : device;
}

function put(draft: Draft, device: RosterDevice): void {
  draft.devices.set(device.id, device);
}

async function takeKeys(draft: Draft, keys: { sign: Uint8Array; agree: Uint8Array }): Promise<void> {
  checkSigningKey(keys.sign);
  await checkAgreementKey(keys.agree);
  takeOnce(draft, toBase64url(keys.sign));
  takeOnce(draft, toBase64url(keys.agree));
}

function takeOnce(draft: Draft, name: string): void {
  if (draft.used.has(name)) fail("BAD_ROSTER", "an id or key for the second time");
  draft.used.add(name);
}
