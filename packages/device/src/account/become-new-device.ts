import { foldRoster, makeStatement, newIncarnation, type RosterOp, sealEnvelope } from "@codehands/vault";
import { seenMarks } from "../device-record/find-suspicions.ts";
import type { DeviceHome } from "../home.ts";
import { type ExtendDeps, extendTogether } from "../roster/extend-together.ts";

const PAIR =
  "This copy cannot let itself in as a device of its own. Sign out here, then pair it; its own work is kept.";

/**
 * S3: this copy becomes a device of its own, with keys of its own; the keys that both copies hold let it in, where they are
 * an admin's. Null when it did, else a sentence.
 */
export async function becomeNewDevice(home: DeviceHome): Promise<string | null> {
  const { member, loop, options } = home;
  if (!member || !loop) return "This device is not signed in.";
  if (!member.roots || !member.roles.includes("admin")) return PAIR;
  // What this copy wrote and nobody heard of has to be in its logs: from them it moves to sessions of its own (S16).
  await options.collect?.();
  const id = crypto.randomUUID();
  const keys = await options.keys.make();
  const { sign, agree } = keys;
  const { platform } = options.about;
  const add: RosterOp = {
    op: "add",
    id,
    sign: sign.publicKey,
    agree: agree.publicKey,
    roles: [...member.roles],
    platform,
  };
  await letIn({ member, loop }, { add, at: options.clock() });
  const inherited = await seenMarks(await options.store.allRecords(), loop.facts, id);
  const { account, roots } = member;
  await home.move(
    { ...account, deviceId: id, incarnation: newIncarnation(), lastN: 0, inherited },
    { keys, roots: [...(roots ?? [])] },
  );
  return null;
}

type Added = { add: Extract<RosterOp, { op: "add" }>; at: string };

function letIn(deps: ExtendDeps, { add, at }: Added): Promise<void> {
  const { member } = deps;
  const signer = { by: member.id, privateKey: member.keys.sign.privateKey };
  return extendTogether(deps, async (roster) => {
    if (roster.devices.has(add.id)) return null;
    const statement = await makeStatement({ roster, at, ops: [add] }, signer);
    const folded = await foldRoster([statement], roster);
    if (!folded.ok) return folded;
    const payload = { keys: member.roots ?? [] };
    const envelope = await sealEnvelope({ roster: folded.value, to: add.id, payload }, signer);
    return { ok: true, value: { statement, envelopes: [envelope] } };
  });
}
