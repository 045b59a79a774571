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
  let roster = from;
  for (const statement of statements) roster = await foldOne(readWire(statement), roster);
  return roster ?? fail("BAD_ROSTER", "no statement");
}

async function foldOne(wire: StatementWire, before: Roster | null): Promise<Roster> {
  if (before !== null && before.seq + 1 >= ROSTER_LIMITS.statements) fail("BAD_ROSTER", "too many statements");
  // A signature by somebody known is checked before anything is read; statement 0 brings its own keys.
  if (before !== null) await checkKnownSigner(wire, before);
  const body = parseStatement(wire.body);
  const hash = await statementHash(wire.body);
  checkLink(body, before);
  const draft = before === null ? firstDraft(hash) : copyOf(before);
  await applyOps(draft, body);
  draft.hashes.push(hash);
  const recovery = draft.recovery ?? fail("BAD_ROSTER", "no recovery key");
  const roster: Roster = { ...draft, hash, recovery };
  if (before === null) checkFirst(body);
  await checkSignatures(wire, { body, roster, before });
  return roster;
}

function checkLink(body: StatementBody, before: Roster | null): void {
  const follows =
    before === null
      ? body.seq === 0 && body.prev === null
      : body.seq === before.seq + 1 && body.prev !== null && equalBytes(body.prev, before.hash);
  if (!follows) fail("BAD_ROSTER", `statement ${body.seq} does not follow`);
}

/** One device, which is an admin, founds a vault: with one recovery key and epoch 1. */
function checkFirst({ by, ops }: StatementBody): void {
  const founder = ops.find((op) => op.op === "add");
  const names = ops.map((op) => op.op).sort();
  if (names.join() !== "add,epoch,recovery" || founder?.id !== by || !founder.roles.includes("admin"))
    fail("BAD_ROSTER", "statement 0");
}

async function checkKnownSigner({ body, sigs }: StatementWire, before: Roster): Promise<void> {
  const message = statementMessage(body);
  for (const { by, sig } of sigs) {
    const key = by === "recovery" ? before.recovery.sign : activeDevice(before, by)?.sign;
    if (key !== undefined && (await verify(key, sig, message))) return;
  }
  fail("BAD_SIGNATURE", `statement ${before.seq + 1}`);
}

interface Signing {
  body: StatementBody;
  roster: Roster;
  before: Roster | null;
}

/** The signer's signature, the new recovery key's where there is one, and no other. */
async function checkSignatures({ body: json, sigs }: StatementWire, { body, roster, before }: Signing): Promise<void> {
  const needed = [{ by: body.by, key: signerKey(body.by, before ?? roster) }];
  if (roster.recovery.seq === body.seq) needed.push({ by: "recovery", key: roster.recovery.sign });
  if (sigs.length !== needed.length) fail("BAD_SIGNATURE", `statement ${body.seq}`);
  const message = statementMessage(json);
  for (const { by, key } of needed) {
    const checked = sigs.filter((sig) => sig.by === by).map(({ sig }) => verify(key, sig, message));
    if (!(await Promise.all(checked)).includes(true)) fail("BAD_SIGNATURE", `statement ${body.seq}`);
  }
}

function signerKey(by: string, roster: Roster): Uint8Array {
  if (by === "recovery") return roster.recovery.sign;
  const device = activeDevice(roster, by);
  return device?.roles.includes("admin") ? device.sign : fail("BAD_SIGNATURE", "its signer is no admin");
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
