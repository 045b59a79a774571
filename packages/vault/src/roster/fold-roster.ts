import { equalBytes } from "../bytes/join-bytes.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import { verify } from "../primitives/signing.ts";
import { fail } from "../vault-error.ts";
import { applyOps, type Draft } from "./apply-ops.ts";
import { activeDevice, type Roster } from "./roster.ts";
import {
  parseStatement,
  ROSTER_LIMITS,
  readWire,
  type StatementBody,
  type StatementWire,
  statementHash,
  statementMessage,
} from "./statement.ts";

/**
 * Verifies statements from 0, or those that continue a roster (V6, V7), all or none of them. The roster given stays
 * as it is. Refuses with BAD_ROSTER, BAD_SIGNATURE, BAD_KEY, TOO_LARGE or UNKNOWN_FORMAT.
 */
export function foldRoster(statements: readonly unknown[], from: Roster | null = null): Promise<Outcome<Roster>> {
  return outcomeOf(() => foldStatements(statements, from));
}

/** The same for use inside a check: throws. */
export async function foldStatements(statements: readonly unknown[], from: Roster | null): Promise<Roster> {
  let draft = from === null ? null : copyOf(from);
  for (const statement of statements) draft = await foldOne(readWire(statement), draft);
  return draft === null ? fail("BAD_ROSTER", "no statement") : finish(draft);
}

async function foldOne(wire: StatementWire, before: Draft | null): Promise<Draft> {
  if (before !== null && before.seq + 1 >= ROSTER_LIMITS.statements) fail("BAD_ROSTER", "too many statements");
  // A signature by somebody known is checked before anything is read; statement 0 brings its own keys.
  const proved = before === null ? null : await checkKnownSigner(wire, before);
  const body = parseStatement(wire.body);
  const hash = await statementHash(wire.body);
  checkLink(body, before);
  // Whose signature counts is decided by what was before, whatever the statement changes.
  const known = before === null ? null : signerKey(body.by, before);
  const draft = before ?? firstDraft(hash);
  await applyOps(draft, body);
  draft.hashes.push(hash);
  if (before === null) checkFirst(body);
  await checkSignatures(wire, { body, draft, signer: known ?? signerKey(body.by, draft), proved });
  return draft;
}

function checkLink(body: StatementBody, before: Draft | null): void {
  const follows =
    before === null
      ? body.seq === 0 && body.prev === null
      : body.seq === before.seq + 1 && body.prev !== null && equalBytes(body.prev, lastHash(before));
  if (!follows) fail("BAD_ROSTER", `statement ${body.seq} does not follow`);
}

/** One device, which is an admin, founds a vault: with one recovery key and epoch 1. */
function checkFirst({ by, ops }: StatementBody): void {
  const founder = ops.find((op) => op.op === "add");
  const names = ops.map((op) => op.op).sort();
  if (names.join() !== "add,epoch,recovery" || founder?.id !== by || !founder.roles.includes("admin"))
    fail("BAD_ROSTER", "statement 0");
}

/** The key of before the statement under which one of its signatures holds. */
async function checkKnownSigner({ body, sigs }: StatementWire, before: Draft): Promise<Uint8Array> {
  const message = statementMessage(body);
  for (const { by, sig } of sigs) {
    const key = by === "recovery" ? before.recovery?.sign : activeDevice(before, by)?.sign;
    if (key !== undefined && (await verify(key, sig, message))) return key;
  }
  return fail("BAD_SIGNATURE", `statement ${before.seq + 1}`);
}

interface Signing {
  body: StatementBody;
  /** As it is after the statement. */
  draft: Draft;
  signer: Uint8Array;
  /** A key whose signature was verified already. */
  proved: Uint8Array | null;
}

/** The signer's signature, the new recovery key's where there is one, and no other. */
async function checkSignatures(
  { body: json, sigs }: StatementWire,
  { body, draft: { recovery }, signer, proved }: Signing,
): Promise<void> {
  const needed = [{ by: body.by, key: signer }];
  if (recovery?.seq === body.seq) needed.push({ by: "recovery", key: recovery.sign });
  if (sigs.length !== needed.length) fail("BAD_SIGNATURE", `statement ${body.seq}`);
  const message = statementMessage(json);
  for (const { by, key } of needed) {
    if (key === proved) continue;
    const checked = sigs.filter((sig) => sig.by === by).map(({ sig }) => verify(key, sig, message));
    if (!(await Promise.all(checked)).includes(true)) fail("BAD_SIGNATURE", `statement ${body.seq}`);
  }
}

function signerKey(by: string, draft: Draft): Uint8Array {
  const device = activeDevice(draft, by);
  const key = by === "recovery" ? draft.recovery?.sign : device?.roles.includes("admin") ? device.sign : undefined;
  return key ?? fail("BAD_SIGNATURE", "its signer is no admin");
}

const lastHash = ({ hashes }: Draft): Uint8Array => hashes.at(-1) ?? new Uint8Array(0);

function finish(draft: Draft): Roster {
  const recovery = draft.recovery ?? fail("BAD_ROSTER", "no recovery key");
  return { ...draft, hash: lastHash(draft), recovery };
}

function firstDraft(hash: Uint8Array): Draft {
  const empty = { commits: new Map(), devices: new Map(), used: new Set<string>() };
  return { vault: hash.slice(0, 16), seq: 0, hashes: [], epoch: 0, recovery: null, ...empty };
}

function copyOf(roster: Roster): Draft {
  const { vault, seq, epoch, recovery } = roster;
  return {
    vault,
    seq,
    epoch,
    recovery,
    hashes: [...roster.hashes],
    commits: new Map(roster.commits),
    devices: new Map(roster.devices),
    used: new Set(roster.used),
  };
}
