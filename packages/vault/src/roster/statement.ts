import { toBase64url } from "../bytes/base64url.ts";
import { joinBytes } from "../bytes/join-bytes.ts";
import { label } from "../bytes/label.ts";
import {
  bytes,
  listOf,
  nullOr,
  object,
  oneOf,
  parseJson,
  plainObject,
  readAs,
  type Shape,
  text,
  uuid,
  whole,
} from "../parsing/strict-json.ts";
import { sha256 } from "../primitives/hash.ts";
import { fail } from "../vault-error.ts";

/** What a device may do (§3). Reading comes with membership. */
export const ROLES = ["admin", "command", "run"] as const;
export type Role = (typeof ROLES)[number];

/** A statement as it travels: base64url of the body's bytes, and signatures by device ids or "recovery". */
export interface Statement {
  body: string;
  sigs: { by: string; sig: string }[];
}

/** The newest device record of a device, as another one names it. */
export interface RecordMark {
  n: number;
  /** base64url of 32 bytes. */
  hash: string;
}

export type RosterOp =
  | { op: "add"; id: string; sign: Uint8Array; agree: Uint8Array; roles: Role[]; platform: string }
  | { op: "remove"; id: string; cut: RecordMark | null }
  | { op: "roles"; id: string; roles: Role[] }
  | { op: "epoch"; epoch: number; commit: Uint8Array }
  | { op: "recovery"; sign: Uint8Array; agree: Uint8Array };

export interface StatementBody {
  v: 1;
  seq: number;
  prev: Uint8Array | null;
  /** For display only. */
  at: string;
  /** A device id, or "recovery". */
  by: string;
  ops: RosterOp[];
}

export const ROSTER_LIMITS = { statementBytes: 16_384, activeDevices: 64, statements: 10_000 } as const;

const signer: Shape<string> = (value) => (value === "recovery" ? value : uuid(value));
const wire = object({
  body: bytes(null, ROSTER_LIMITS.statementBytes),
  sigs: listOf(object({ by: signer, sig: bytes(64) }), 2),
});

/** What stands outside a statement's signatures: nothing of the body has been read yet. */
export interface StatementWire {
  body: Uint8Array;
  sigs: { by: string; sig: Uint8Array }[];
}

/** Reads the outer shape of a statement. Throws TOO_LARGE or BAD_ROSTER. */
export function readWire(statement: unknown): StatementWire {
  const { body } = readAs("BAD_ROSTER", () => plainObject(statement));
  if (typeof body === "string" && body.length > Math.ceil((ROSTER_LIMITS.statementBytes * 4) / 3))
    fail("TOO_LARGE", "roster statement");
  return readAs("BAD_ROSTER", () => wire(statement));
}

const roles: Shape<Role[]> = (value) => {
  const read = listOf(oneOf(...ROLES), ROLES.length)(value);
  return new Set(read).size === read.length ? read : fail("BAD_FORMAT", "a role twice");
};
const mark = object({ n: whole(1), hash: bytes(32) });
const cut: Shape<RecordMark | null> = (value) => {
  const read = nullOr(mark)(value);
  return read === null ? null : { n: read.n, hash: toBase64url(read.hash) };
};

const OPS: Readonly<Record<RosterOp["op"], Shape<RosterOp>>> = {
  add: object({ op: oneOf("add"), id: uuid, sign: bytes(32), agree: bytes(32), roles, platform: text(32) }),
  remove: object({ op: oneOf("remove"), id: uuid, cut }),
  roles: object({ op: oneOf("roles"), id: uuid, roles }),
  epoch: object({ op: oneOf("epoch"), epoch: whole(1, 0xffff_ffff), commit: bytes(32) }),
  recovery: object({ op: oneOf("recovery"), sign: bytes(32), agree: bytes(32) }),
};

const op: Shape<RosterOp> = (value) => {
  const { op: name } = plainObject(value);
  if (typeof name !== "string") fail("BAD_FORMAT", "op");
  if (!Object.hasOwn(OPS, name)) fail("UNKNOWN_FORMAT", "roster op");
  return OPS[name as RosterOp["op"]](value);
};

const body = object({
  v: (value: unknown): 1 => (value === 1 ? 1 : fail("UNKNOWN_FORMAT", "roster format")),
  seq: whole(0, ROSTER_LIMITS.statements - 1),
  prev: nullOr(bytes(32)),
  at: text(40),
  by: signer,
  ops: listOf(op, 256),
});

/**
 * Reads a statement's body. Throws BAD_ROSTER for a wrong shape and UNKNOWN_FORMAT for a format or an op of a newer
 * version, whatever else it holds: then syncing stops and an update is asked for (V7, V35).
 */
export function parseStatement(json: Uint8Array): StatementBody {
  return readAs("BAD_ROSTER", () => {
    const given = plainObject(parseJson(json));
    if (Object.hasOwn(given, "v") && given["v"] !== 1) fail("UNKNOWN_FORMAT", "roster format");
    return body(given);
  });
}

/** What a statement's signatures sign (V6). */
export const statementMessage = (json: Uint8Array): Uint8Array => joinBytes(label("roster"), json);

/** A statement's hash (V6): the chain's link, and in statement 0 the vault's id. */
export const statementHash = (json: Uint8Array): Promise<Uint8Array> => sha256(label("roster-hash"), json);
