import type { Command, RefusalCode, SessionStatus } from "@codehands/contracts";
import { toBase64url } from "../bytes/base64url.ts";
import type { Refused } from "../outcome.ts";
import type { Suspicion } from "../records/check-views.ts";
import { activeDevice, type Roster } from "../roster/roster.ts";
import type { RecordHeader } from "../sealing/header.ts";
import type { ChainAt } from "../sealing/place-segment.ts";
import type { VaultCode } from "../vault-error.ts";

/** Whose commands this device obeys (`commands.from`): native leaves out devices that are a web page. */
export type CommandPolicy = "all" | "native" | "none";

/** The session a command speaks of, as the owner holds it. */
export interface CommandedSession {
  status: SessionStatus;
  treeId: string | null;
  rev: number;
  chainAt: ChainAt;
}

/** The owner at the moment it decides. */
export interface CommandScene {
  /** Pulled in this same round. */
  roster: Roster;
  me: string;
  incarnation: string;
  /** True when a `commands` row of this id is here: its outcome is written again, nothing runs. */
  isKnown: (id: string) => boolean;
  session: CommandedSession | null;
  policy: CommandPolicy;
  /** Lies that no person has looked at yet (V24). */
  suspicions: readonly Suspicion[];
}

/** An opened command record; its body was read as a Command. */
export interface ReceivedCommand {
  header: RecordHeader;
  command: Command;
}

export type Authorization = { ok: true } | Refused;

/** The refusal that a person reads for each code; the other codes are no answer yet, or not ours to answer. */
export const COMMAND_REFUSALS: Readonly<Partial<Record<VaultCode, RefusalCode>>> = {
  UNKNOWN_DEVICE: "revoked",
  NOT_ALLOWED: "not_allowed",
  STALE_COMMAND: "stale_command",
  STALE_STATUS: "illegal_move",
  STALE_TREE: "stale_tree",
  FORK: "stale_history",
};

/**
 * Whether the owner obeys a command (V27), the first failure winning. STALE_EPOCH waits for the sender to seal it
 * again, WITHHELD and EQUIVOCATION for a person, ALREADY_APPLIED repeats the stored outcome, WRONG_PLACE is somebody
 * else's; the rest is refused by `COMMAND_REFUSALS`. An `ok` still has to be claimed before anything runs.
 */
export function authorizeCommand({ header, command }: ReceivedCommand, scene: CommandScene): Authorization {
  const { roster, me, policy } = scene;
  const no = (code: VaultCode): Authorization => ({ ok: false, code, reason: `command ${header.id}` });
  const sender = activeDevice(roster, header.writer);
  if (sender === null) return no("UNKNOWN_DEVICE");
  if (!sender.roles.includes("command")) return no("NOT_ALLOWED");
  if (header.epoch !== roster.epoch) return no("STALE_EPOCH");
  const isAsSealed = command.id === header.id && command.senderDeviceId === header.writer && !header.deleted;
  if (!isAsSealed || command.targetDeviceId !== me) return no("WRONG_PLACE");
  if (scene.isKnown(command.id)) return no("ALREADY_APPLIED");
  if (command.incarnation !== scene.incarnation) return no("STALE_COMMAND");
  const stale = checkExpected(command, scene.session);
  if (stale !== null) return no(stale);
  if (policy === "none" || (policy === "native" && sender.platform === "web")) return no("NOT_ALLOWED");
  const suspicion = scene.suspicions[0];
  return suspicion === undefined ? { ok: true } : no(suspicion.code);
}

/** A command holds for the session that its sender really saw: its status, its tree, and the history it read (V26). */
function checkExpected({ expects }: Command, session: CommandedSession | null): VaultCode | null {
  const { status, treeId, rev, seq, chain } = expects;
  if (session === null) return status.length > 0 || treeId !== undefined || chain !== undefined ? "STALE_STATUS" : null;
  if (status.length > 0 && !status.includes(session.status)) return "STALE_STATUS";
  if (rev !== undefined && rev !== session.rev) return "STALE_STATUS";
  if (treeId !== undefined && treeId !== session.treeId) return "STALE_TREE";
  if (chain === undefined) return null;
  const own = seq === undefined ? null : session.chainAt(seq);
  return own !== null && toBase64url(own) === chain ? null : "FORK";
}
