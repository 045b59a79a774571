import { toBase64url } from "../bytes/base64url.ts";
import { utf8 } from "../bytes/text.ts";
import { commitRoot } from "../keys/root-key.ts";
import { sign } from "../primitives/signing.ts";
import type { WebKey } from "../primitives/web-crypto.ts";
import type { Roster } from "./roster.ts";
import { type RosterOp, type Statement, statementMessage } from "./statement.ts";

/** Who signs: a device's id, or "recovery". */
export interface Signer {
  by: string;
  privateKey: WebKey;
}

export interface StatementPlan {
  /** Null founds a vault. */
  roster: Roster | null;
  /** ISO, for display only. */
  at: string;
  ops: readonly RosterOp[];
}

/** The op of a new epoch with this root. */
export async function epochOp(epoch: number, root: Uint8Array): Promise<RosterOp> {
  return { op: "epoch", epoch, commit: await commitRoot(root, epoch) };
}

/**
 * Writes and signs the next statement. `cosigner` is the NEW recovery key where an op brings one (V6). Nothing is
 * checked here: fold it before it is sent.
 */
export async function makeStatement(plan: StatementPlan, signer: Signer, cosigner?: Signer): Promise<Statement> {
  const { roster, at, ops } = plan;
  const link = roster === null ? { seq: 0, prev: null } : { seq: roster.seq + 1, prev: toBase64url(roster.hash) };
  const body = utf8(JSON.stringify({ v: 1, ...link, at, by: signer.by, ops: ops.map(writeOp) }));
  const signers = cosigner === undefined ? [signer] : [signer, cosigner];
  const sigs = signers.map(async ({ by, privateKey }) => ({
    by,
    sig: toBase64url(await sign(privateKey, statementMessage(body))),
  }));
  return { body: toBase64url(body), sigs: await Promise.all(sigs) };
}

function writeOp(op: RosterOp): unknown {
  switch (op.op) {
    case "add": {
      const { id, roles, platform } = op;
      return { op: "add", id, sign: toBase64url(op.sign), agree: toBase64url(op.agree), roles, platform };
    }
    case "epoch":
      return { op: "epoch", epoch: op.epoch, commit: toBase64url(op.commit) };
    case "recovery":
      return { op: "recovery", sign: toBase64url(op.sign), agree: toBase64url(op.agree) };
    default:
      return op;
  }
}
