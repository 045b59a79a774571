import type { StartInput } from "@codehands/api";
import { AGENT_KINDS } from "@codehands/contracts";
import { otherDeviceId } from "../account/find-device.ts";
import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderHead, renderNext, renderPlace } from "../render/session-head.ts";
import { findSession, shortNameOf } from "../sessions/find-session.ts";
import { type FollowMode, followLive } from "../sessions/follow-live.ts";
import { readPrompt } from "../sessions/read-prompt.ts";
import { repoOf } from "../sessions/repo-folder.ts";
import { askTwice, sendCommand } from "../sessions/send-command.ts";
import { patienceOf, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import type { SessionView } from "../wire-types.ts";

/** `codehands run`: starts a session and follows it, unless it is to be left alone. */
export async function run(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const mode = followMode(cli, flags);
  const patience = patienceOf(flags);
  const repoPath = repoOf(cli);
  const prompt = await readPrompt(cli, args[0]);
  const agent = AGENT_KINDS.find((kind) => kind === flags.text("agent"));
  const model = flags.text("model");
  const budgetUsd = flags.number("budget");
  const base = flags.text("base");
  const title = flags.text("name");
  const device = flags.text("device");
  const deviceId = device === undefined ? undefined : await otherDeviceId(await cli.daemon.client(), device);
  // Ids of our own: sending the same once more after a lost answer starts nothing twice.
  const input: StartInput = {
    commandId: cli.newCommandId(),
    sessionId: cli.newSessionId(),
    repoPath,
    prompt,
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(base !== undefined && { base }),
    ...(title !== undefined && { title }),
    ...(deviceId !== undefined && { deviceId }),
  };
  const sent = await sendCommand(cli, { ...input, name: null }, (client) => client.sessions.start.mutate(input));
  const answer = await settleCommand(cli, sent, { name: null, patience });
  if (answer.pending !== null) {
    const { sessionId } = input;
    return tellPending(cli, answer.pending, { sessionId, view: answer.session ?? { id: sessionId }, idInPipe: true });
  }
  // It is started: a daemon that dies now must not make a person start it a second time.
  const { client, session, name } = await askTwice(cli, async (calls) => {
    const started = answer.session ?? (await findSession(calls, input.sessionId));
    return { client: calls, session: started, name: await shortNameOf(calls, started.id) };
  });
  await tellStart(cli, session, budgetUsd === undefined);
  if (mode === null) return leaveIt(cli, session, name);
  return followLive(cli, { client, session, name, mode });
}

/** How `run` and `resume` follow; null for not at all. */
export function followMode(cli: Pick<Cli, "json" | "quiet">, flags: Call["flags"]): FollowMode | null {
  if (flags.on("detach") && flags.on("wait")) throw usageError("--detach and --wait cannot go together.");
  if (flags.on("detach")) return null;
  if (!flags.on("wait")) return cli.json || cli.quiet ? "silent" : "live";
  return cli.json ? "lines" : "silent";
}

/** The session's id is the data of `run` in a pipe; a person reads its first line. */
async function tellStart(cli: Cli, session: SessionView, isDefaultBudget: boolean): Promise<void> {
  if (cli.json) return;
  const { stdout, stderr } = cli.output.facts;
  if (cli.quiet || !stdout.tty) await cli.output.data(`${session.id}\n`);
  if (!cli.quiet)
    cli.output.note(renderHead(session, stderr, isDefaultBudget ? " (default; --budget changes it)" : ""));
}

async function leaveIt(cli: Cli, session: SessionView, name: string): Promise<ExitCode> {
  if (cli.json) {
    await cli.output.json(session);
    return 0;
  }
  const { stderr } = cli.output.facts;
  const place = renderPlace(session, stderr);
  if (cli.quiet) return 0;
  if (place !== "") cli.output.note(place);
  cli.output.note(renderNext(session, name, stderr));
  return 0;
}
