import type { DiffView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";
import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import { pollUntil } from "../poll-until.ts";
import type { Call } from "../program/command-spec.ts";
import { renderDiffPage, renderPatch, renderStat, renderWarnings } from "../render/diff-page.ts";
import { patchOfFile } from "../render/patch-sections.ts";
import { statusWord } from "../render/status.ts";
import { openSession } from "../sessions/find-session.ts";
import { showControls, stripToLine } from "../terminal/strip-controls.ts";
import type { SessionView } from "../wire-types.ts";

/** `codehands diff`: a review on a terminal, a plain patch in a pipe. */
export async function diff(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const views = ["stat", "nameOnly", "patch"].filter((view) => flags.on(view));
  if (views.length > 1) throw usageError("--stat, --name-only and --patch cannot go together.");
  const { client, session } = await openSession(cli, args[0] ?? "");
  const whole = await diffOf(cli, client, session);
  const file = flags.text("file");
  const shown = file === undefined ? whole : onlyFile(whole, file, session);
  const facts = cli.output.facts.stdout;
  // An agent that asks for one view wants that view; JSON carries all of them.
  if (cli.json && views.length === 0) {
    await cli.output.json(shown);
    return 0;
  }
  const draw = { stat: drawStat, nameOnly: drawNames, patch: drawPatch }[views[0] ?? (facts.tty ? "" : "patch")];
  await cli.output.data(draw === undefined ? renderDiffPage(shown, facts) : draw(shown, facts));
  if (!facts.tty) for (const line of renderWarnings(shown, cli.output.facts.stderr)) cli.output.note(line);
  return 0;
}

type Facts = Cli["output"]["facts"]["stdout"];

const drawStat = (view: DiffView, facts: Facts): string => `${renderStat(view, facts).join("\n")}\n`;
// In a pipe the bytes are those of the patch, so that `git apply` takes it.
const drawPatch = (view: DiffView, facts: Facts): string => (facts.tty ? renderPatch(view.patch, facts) : view.patch);
const drawNames = (view: DiffView, facts: Facts): string =>
  view.files.map(({ path }) => `${facts.tty ? showControls(path) : path}\n`).join("");

/** Looks at a change that another device is sending before it is called missing. */
const LOOKS = 10;

/**
 * The change of a session. Throws with exit code 3 when it has neither worktree nor snapshot. That of another device may
 * come a moment after the word that the session waits: it is waited for.
 */
export async function diffOf(cli: Cli, client: LocalClient, session: SessionView): Promise<DiffView> {
  const look = (): Promise<DiffView | null> => client.sessions.diff.query({ sessionId: session.id });
  const isComing = session.remote !== undefined && session.treeId !== null;
  const view = isComing ? await pollUntil(cli, look, { looks: LOOKS }) : await look();
  if (view !== null) return view;
  const away = session.remote === undefined ? "" : ` here yet: ${stripToLine(session.device.name)} has sent none`;
  throw new CliError({
    code: "not_found",
    exitCode: 3,
    message: `Session ${session.shortId} is ${statusWord(session.status)} and has no change to show${away}.`,
    hint: `codehands show ${session.shortId}`,
  });
}

function onlyFile(view: DiffView, path: string, session: SessionView): DiffView {
  const files = view.files.filter((file) => file.path === path || file.oldPath === path);
  if (files.length === 0) {
    const message = `The change does not touch ${path}.`;
    throw new CliError({
      code: "not_found",
      exitCode: 3,
      message,
      hint: `codehands diff ${session.shortId} --name-only`,
    });
  }
  return { ...view, files, patch: patchOfFile(view.patch, path) };
}
