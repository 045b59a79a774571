import type { Caller, CommandAnswer, SessionsPort, StartInput } from "@codehands/api";
import { RECORD_KINDS } from "@codehands/contracts";
import { DeviceError } from "../device-error.ts";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { readDevices, unknownDevice } from "../replica/read-device.ts";
import { readObject, textOf } from "../replica/read-json.ts";
import type { RemoteSessions } from "../replica/remote-sessions.ts";
import { deleteCommand } from "./command-records.ts";
import type { Wish } from "./plan-command.ts";
import { planStart } from "./plan-start.ts";
import { refusal } from "./refusal.ts";
import { fateById, sendCommand } from "./send-command.ts";
import { sentCommands } from "./sent-commands.ts";
import { WithdrawnMemory } from "./withdrawn-memory.ts";

/** The part of the sessions port that commands. */
export type CommandSender = Pick<
  SessionsPort,
  | "start"
  | "stop"
  | "resume"
  | "approve"
  | "reject"
  | "discard"
  | "clean"
  | "commandState"
  | "sentCommands"
  | "withdraw"
>;

const AGENT = "An agent may not decide about a change. Nothing was changed: ask the person to do it.";
const CLEAN = "A device is cleaned by itself only. Nothing was removed: run clean on that device.";

/** Commands to the owners of other devices' sessions. Decisions are refused to a caller that is an agent's own run. */
export function createCommandSender(deps: ReplicaDeps, sessions: RemoteSessions): CommandSender {
  const send = (wish: Wish): Promise<CommandAnswer> => sendCommand({ deps, sessions }, wish, null);
  const decide = async (caller: Caller, wish: Wish): Promise<CommandAnswer> =>
    caller.runId === null ? await send(wish) : refusal("agent_may_not", AGENT);
  const withdrawn = new WithdrawnMemory();
  return {
    start: (input) => start(deps, sessions, input),
    stop: ({ now, ...about }) => send(wishOf(about, { kind: "stop", ...known({ now }) })),
    resume: ({ prompt, budgetUsd, ...about }, caller) => {
      const wish = wishOf(about, { kind: "resume", ...known({ prompt, budgetUsd }) });
      // An agent must not raise its own budget.
      return budgetUsd === undefined ? send(wish) : decide(caller, wish);
    },
    approve: ({ commandId, sessionId, expects, ...options }, caller) =>
      decide(caller, wishOf({ commandId, sessionId, expects }, { kind: "approve", ...known(options) })),
    reject: ({ reason, ...about }, caller) => decide(caller, wishOf(about, { kind: "reject", ...known({ reason }) })),
    discard: (about, caller) => decide(caller, wishOf(about, { kind: "discard" })),
    clean: async (_input, caller) =>
      caller.runId === null ? refusal("not_allowed", CLEAN, { next: "clean" }) : refusal("agent_may_not", AGENT),
    commandState: async (commandId) => withdrawn.complete(await fateById(deps, commandId)),
    sentCommands: async () => (await sentCommands(deps)).map((fate) => withdrawn.complete(fate)),
    async withdraw(commandId, caller) {
      if (caller.runId !== null) throw new DeviceError("agent_may_not", AGENT);
      const before = await fateById(deps, commandId);
      const me = deps.me();
      if (before === null || me === null) return before;
      if (!(await deleteCommand(deps.store, before.commandId, me.deviceId)))
        return withdrawn.complete(await fateById(deps, commandId));
      deps.changed();
      return withdrawn.keep(before);
    },
  };
}

function wishOf(
  { commandId, sessionId, expects }: { commandId: string; sessionId: string; expects: Wish["expects"] },
  payload: Wish["payload"],
): Wish {
  // Ids stand in sealed headers in one spelling.
  return { id: commandId.toLowerCase(), sessionId: sessionId.toLowerCase(), payload, expects };
}

async function start(deps: ReplicaDeps, sessions: RemoteSessions, input: StartInput): Promise<CommandAnswer> {
  const deviceId = input.deviceId?.toLowerCase();
  if (deviceId === undefined || deviceId === deps.me()?.deviceId)
    return refusal(
      "not_found",
      "This device sends sessions to others and runs none itself. Name the device that is to run it.",
      {
        next: "devices",
      },
    );
  const target = (await readDevices(deps.store)).get(deviceId) ?? unknownDevice(deviceId);
  const repoKey = (await deps.repoKeyAt?.(input.repoPath)) ?? (await knownKey(deps, input.repoPath));
  const planned = planStart(input, { target, repoKey, taskId: deps.newId() });
  return planned.ok ? await sendCommand({ deps, sessions }, planned.wish, target) : planned;
}

/** The text itself, when it is the key of a repository that the account knows. */
async function knownKey({ store }: ReplicaDeps, text: string): Promise<string | null> {
  const repos = await store.recordsOf(RECORD_KINDS.repo);
  return repos.some((record) => !record.deleted && textOf(readObject(record.body), "repoKey") === text) ? text : null;
}

/** The fields that have a value: what was not said is not sent. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
