import type { CommandAnswer } from "@codehands/api";
import type { ReplicaDeps } from "../ports/replica-deps.ts";
import { type KnownDevice, readDevices, unknownDevice } from "../replica/read-device.ts";
import type { RemoteSessions } from "../replica/remote-sessions.ts";
import { waitForCommit } from "../replica/wait-for-commit.ts";
import { answerOf } from "./answer-of.ts";
import { type CommandFate, fateOf, isFinal } from "./command-fate.ts";
import { namesOf, putCommand, readPair } from "./command-records.ts";
import { planCommand, type Wish } from "./plan-command.ts";
import { refusal } from "./refusal.ts";

export interface Sending {
  deps: ReplicaDeps;
  sessions: RemoteSessions;
}

/** The owner's session record follows its outcome: so long the answer waits for it. */
const ECHO_MS = 1_000;

const SIGNED_OUT = "This device is not signed in, so it cannot reach the other one. Nothing was sent.";

/**
 * Sends a wish to the device that owns it and waits for its answer as long as `patienceMs`; then it is told as pending,
 * and holds for 24 hours. The same id again sends nothing and tells what became of it.
 */
export async function sendCommand(o: Sending, wish: Wish, target: KnownDevice | null): Promise<CommandAnswer> {
  const { deps, sessions } = o;
  const { store } = deps;
  const me = deps.me();
  if (me === null) return refusal("not_allowed", SIGNED_OUT, { next: "login" });
  const known = await fateById(deps, wish.id);
  if (known !== null) return await answerFor(o, known);
  const session = wish.payload.kind === "start" ? null : await sessions.find(wish.sessionId);
  if (session === null && wish.payload.kind !== "start")
    return refusal("not_found", "There is no such session.", { next: "ls" });
  const owner = target ?? (await deviceOf(deps, session?.writer ?? ""));
  if (deps.isRemoved?.(owner.id))
    return refusal("revoked", `${owner.name} was removed from the account, so nothing reaches it. Nothing was sent.`);
  const planned = planCommand(wish, {
    me: me.deviceId,
    target: owner,
    session,
    log: session && (await store.logOf(session.view.id)),
    at: deps.clock(),
  });
  if (!planned.ok) return { ...planned, session: planned.session && (await sessions.get(wish.sessionId)) };
  await putCommand(store, { id: wish.id, body: JSON.stringify(planned.command), me: me.deviceId });
  deps.changed();
  const fate = await awaitFate(deps, wish.id);
  if (fate.state === "done") await awaitEcho(o, wish.sessionId, session?.view.rev ?? null);
  return await answerFor(o, fate);
}

/** What became of a command that is known here; null for any other. */
export async function fateById(deps: ReplicaDeps, commandId: string): Promise<CommandFate | null> {
  const { command, outcome } = await readPair(deps.store, commandId.toLowerCase());
  return command && fateOf(command, outcome, await readDevices(deps.store));
}

async function awaitFate(deps: ReplicaDeps, id: string): Promise<CommandFate> {
  const names = namesOf(id);
  const ended = await waitForCommit<CommandFate>({
    store: deps.store,
    concerns: ({ records }) => records.some((key) => names.includes(key)),
    look: async () => {
      const fate = await fateById(deps, id);
      return fate !== null && isFinal(fate) ? fate : null;
    },
    ms: deps.patienceMs,
  });
  const fate = ended ?? (await fateById(deps, id));
  if (fate === null) throw new Error(`command ${id} is gone from the store`);
  return fate;
}

/** Waits for a record of the session that is newer than `rev`; null: for any. */
async function awaitEcho({ deps, sessions }: Sending, sessionId: string, rev: number | null): Promise<void> {
  await waitForCommit<true>({
    store: deps.store,
    concerns: ({ records }) => records.length > 0,
    look: async () => {
      const now = await sessions.find(sessionId);
      return (now !== null && now.view.rev !== rev) || null;
    },
    ms: ECHO_MS,
  });
}

async function answerFor({ sessions }: Sending, fate: CommandFate): Promise<CommandAnswer> {
  return answerOf(fate, fate.sessionId === null ? null : await sessions.get(fate.sessionId));
}

async function deviceOf({ store }: ReplicaDeps, id: string): Promise<KnownDevice> {
  return (await readDevices(store)).get(id) ?? unknownDevice(id);
}
