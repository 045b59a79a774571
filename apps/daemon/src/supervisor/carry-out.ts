import type { CommandAnswer } from "@codehands/api";
import type { Command } from "@codehands/contracts";
import { answerCommand } from "../commands/answer-command.ts";
import { type CommandRow, claimedCommands, payloadOf, readCommand } from "../commands/command-rows.ts";
import { enqueue, type Intent } from "../commands/enqueue.ts";
import { DaemonError } from "../home/daemon-error.ts";
import { approveSession } from "./approve-session.ts";
import { cleanDevice } from "./clean-device.ts";
import { discardSession } from "./discard-session.ts";
import { endingOf, isStorageFault, sentenceOf } from "./read-fault.ts";
import { rejectSession } from "./reject-session.ts";
import { resumeSession } from "./resume-session.ts";
import { startForOther } from "./start-for-other.ts";
import { stopSession } from "./stop-session.ts";
import { finish, type Supervision } from "./supervision.ts";

/** The lane of commands that are about the device. */
const DEVICE = "device";

/** Takes a command, carries it out in its session's lane and answers. The same id again gets the stored answer. */
export async function carryOut(s: Supervision, command: Command, intend?: Intent["intend"]): Promise<CommandAnswer> {
  const { store, bootId, clock, deviceId, deviceName, crashPoint } = s.deps;
  if (s.closing)
    throw new DaemonError("closed", "The daemon is stopping. Nothing was changed; send the command again.");
  await s.ready;
  return await s.lanes.run(command.sessionId ?? DEVICE, async () => {
    const { fresh, row } = enqueue(store, { command, claim: { boot: bootId, at: clock() }, ...(intend && { intend }) });
    if (row.sessionId !== null) s.bus.poke(row.sessionId);
    if (fresh) await crashPoint(`${row.kind}.enqueued`);
    // Claimed, not new and not at work: its outcome could not be stored the first time.
    if (row.state === "claimed" && !isUnderway(s, row)) await act(s, row);
    return answerCommand(store, command.id, { deviceId, deviceName });
  });
}

/** A resume that waits for a free place or whose run is about to live. */
function isUnderway(s: Supervision, row: CommandRow): boolean {
  const waits = s.waitingResumes.some((waiting) => waiting.commandId === row.id);
  return waits || (row.sessionId !== null && s.resuming.get(row.sessionId) === row.id);
}

/** Carries out what was claimed but could not be answered, for example on a full disk. Never rejects. */
export async function finishClaimed(s: Supervision): Promise<void> {
  for (const row of claimedCommands(s.deps.store)) {
    if (s.closing || s.lanes.busy(row.sessionId ?? DEVICE) || isUnderway(s, row)) continue;
    await carryOn(s, row).catch((error) =>
      s.deps.log.error({ command: row.kind, error: sentenceOf(error) }, "a command still cannot be finished"),
    );
  }
}

/**
 * Acts on a command of another device, which was stored as claimed together with the sync's mark that it was taken on:
 * in its session's lane, as if a person had asked for it here. Returns its row as it is then.
 */
export async function obey(s: Supervision, row: CommandRow): Promise<CommandRow> {
  await s.ready;
  await s.deps.crashPoint("remote.accepted");
  if (row.sessionId !== null) s.bus.poke(row.sessionId);
  // Not begun, it stays claimed: the next start of the daemon carries it out.
  if (!s.closing) await carryOn(s, row);
  const now = readCommand(s.deps.store, row.id) ?? row;
  if (now.state !== "claimed") await s.deps.crashPoint("remote.answered");
  return now;
}

/** Carries out a command that was claimed earlier and is not answered. */
export async function carryOn(s: Supervision, row: CommandRow): Promise<void> {
  await s.lanes.run(row.sessionId ?? DEVICE, async () => {
    if (readCommand(s.deps.store, row.id)?.state === "claimed") await act(s, row);
  });
}

/** Acts on a claimed command. What its runner refuses or breaks at becomes its answer. */
async function act(s: Supervision, row: CommandRow): Promise<void> {
  const payload = payloadOf(row);
  try {
    switch (payload?.kind) {
      case "start":
        return await startForOther(s, row, payload);
      case "stop":
        return await stopSession(s, row, payload);
      case "resume":
        return await resumeSession(s, row, payload);
      case "approve":
        return await approveSession(s, row, payload);
      case "reject":
        return await rejectSession(s, row);
      case "discard":
        return await discardSession(s, row);
      case "clean":
        return await cleanDevice(s, row, payload);
      default: {
        const reason = `This version cannot carry out the command "${row.kind}". Nothing was changed.`;
        return finish(s, row, { ending: { state: "refused", code: "not_allowed", reason, result: { next: null } } });
      }
    }
  } catch (error) {
    // It was the answer that could not be stored: it stays claimed and is carried out again, which changes nothing twice.
    if (row.sessionId !== null && !s.active.has(row.sessionId)) s.records.settle(row.sessionId);
    if (isStorageFault(error)) throw error;
    s.deps.log.info(
      { command: row.kind, sessionId: row.sessionId, error: sentenceOf(error) },
      "a command did not succeed",
    );
    finish(s, row, { ending: endingOf(error) });
  }
}
