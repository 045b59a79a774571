import type { ApproveInput } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import { decideCommand } from "@codehands/contracts";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderStat, renderWarnings } from "../render/diff-page.ts";
import { renderHead } from "../render/session-head.ts";
import { openSession, shortNameOf } from "../sessions/find-session.ts";
import { refusalError } from "../sessions/refusal-error.ts";
import { sendCommand } from "../sessions/send-command.ts";
import { patienceOf, settleCommand } from "../sessions/settle-command.ts";
import { tellPending } from "../sessions/tell-pending.ts";
import { askYes } from "../terminal/ask.ts";
import { iconsFor } from "../terminal/icons.ts";
import { stripToLine } from "../terminal/strip-controls.ts";
import type { SessionView } from "../wire-types.ts";
import { diffOf } from "./diff.ts";

const TREE = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** `codehands approve`: makes exactly the change that was seen one commit on the session's branch. */
export async function approve(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const match = flags.text("ifMatch");
  if (match !== undefined && !TREE.test(match)) throw usageError(`--if-match takes a whole tree id, not '${match}'.`);
  const patience = patienceOf(flags);
  const { client, session } = await openSession(cli, args[0] ?? "");
  const name = await shortNameOf(client, session.id);
  const asks = cli.canAsk && !cli.yes && session.status === "awaiting_approval";
  const seen = asks ? await review(cli, client, session) : null;
  const treeId = match ?? seen ?? session.treeId;
  if (treeId === null) throw nothingToApprove(session, name);
  const message = flags.text("message");
  const input: ApproveInput = {
    commandId: cli.newCommandId(),
    sessionId: session.id,
    expects: [session.status],
    treeId,
    ...(message !== undefined && { message }),
    ...(flags.on("absorbNested") && { absorbNested: true }),
    ...(flags.on("allowSecrets") && { allowSecrets: true }),
    ...(flags.on("allowLarge") && { allowLarge: true }),
    ...(flags.on("allowShrunk") && { allowShrunk: true }),
  };
  const sent = await sendCommand(cli, { ...input, name }, (calls) => calls.sessions.approve.mutate(input));
  const answer = await settleCommand(cli, sent, { name, patience });
  const approved = approvalOf(session.id, { session: answer.session, result: answer.result ?? {}, treeId });
  if (answer.pending !== null) {
    const view = { ...approved, status: session.status };
    return tellPending(cli, answer.pending, { sessionId: session.id, view });
  }
  await tell(cli, approved);
  return 0;
}

/** Shows the change and asks; the tree that was shown is the one that is approved. */
async function review(cli: Cli, client: LocalClient, session: SessionView): Promise<string> {
  const view = await diffOf(cli, client, session);
  const facts = cli.output.facts.stderr;
  cli.output.note([renderHead(session, facts), ...renderWarnings(view, facts), ...renderStat(view, facts)].join("\n"));
  const whose = session.remote === undefined ? "" : ` on ${stripToLine(session.device.name)}`;
  const branch = stripToLine(session.branch ?? "its branch");
  if (await askYes(cli, `Make this one commit on ${branch}${whose}?`)) return view.treeId;
  const message = "Nothing was approved: you said no.";
  throw new CliError({ code: "declined", exitCode: 10, message, hint: `codehands diff ${session.shortId}` });
}

function nothingToApprove(session: SessionView, name: string): CliError {
  const subject = { ...session, approvedTreeId: null };
  const decision = decideCommand(subject, { kind: "approve" });
  if (!decision.ok) return refusalError(decision, name);
  const reason = `Session ${name} has no change to approve.`;
  return refusalError({ code: "nothing_to_approve", reason, next: "reject" }, name);
}

interface Approval {
  sessionId: string;
  status: SessionView["status"];
  branch: string | null;
  commit: string | null;
  treeId: string | null;
}

function approvalOf(
  sessionId: string,
  o: { session: SessionView | null; result: Readonly<Record<string, unknown>>; treeId: string },
): Approval {
  const text = (value: unknown, other: string | null): string | null => (typeof value === "string" ? value : other);
  return {
    sessionId,
    status: o.session?.status ?? "approved",
    branch: text(o.result.branch, o.session?.branch ?? null),
    commit: text(o.result.commit, o.session?.commit ?? null),
    treeId: text(o.result.treeId, o.treeId),
  };
}

async function tell(cli: Cli, approved: Approval): Promise<void> {
  if (cli.json) return cli.output.json(approved);
  if (cli.quiet) return cli.output.data(`${approved.commit ?? approved.sessionId}\n`);
  const { stdout } = cli.output.facts;
  const branch = stripToLine(approved.branch ?? "");
  const commit = stripToLine(approved.commit ?? "").slice(0, 12);
  await cli.output.data(`${iconsFor(stdout).ok} Approved: commit ${commit} on ${branch}\n`);
}
