import type { Cli } from "../cli.ts";
import { CliError, usageError } from "../cli-error.ts";
import { type ResetAnswer, resetByCloud } from "../connect/reset-by-cloud.ts";
import { EXIT_CODES, type ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import type { Flags } from "../program/flags.ts";
import { askNewPassword } from "../terminal/ask-new-password.ts";
import { interrupted } from "../terminal/ask-secret.ts";
import { iconsFor } from "../terminal/icons.ts";
import { readLine } from "../terminal/read-line.ts";
import { stripControls } from "../terminal/strip-controls.ts";

/**
 * `codehands serve password`: on the machine of a cloud, gives a person who forgot theirs a new password. It opens a
 * login and nothing that is sealed; devices are not touched.
 */
export async function servePassword(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const password = await newPassword(cli, flags);
  // Ctrl-C reaches the program by the terminal; what came of it is known once it has ended.
  const giveBack = cli.onInterrupt(() => undefined);
  let answer: ResetAnswer;
  try {
    const words = placeWords(flags).concat("--", args[0] ?? "");
    answer = await resetByCloud({ words, password, cwd: cli.cwd, environment: cli.environment.forDaemon });
  } finally {
    giveBack();
  }
  if (answer.remarks !== "") cli.output.note(stripControls(answer.remarks));
  return tell(cli, answer);
}

async function newPassword(cli: Cli, flags: Flags): Promise<string> {
  const fromStdin = flags.on("passwordStdin");
  if (!fromStdin && !cli.canAsk)
    throw usageError("There is nobody to ask for the new password. Give it on stdin with --password-stdin.");
  const password = fromStdin
    ? await readLine(cli.stdin)
    : await askNewPassword(cli, { question: "New password:", unequal: "Nothing was changed." });
  if (password === null || password === "") throw usageError("There is no password.");
  return password;
}

function placeWords(flags: Flags): string[] {
  const given = { "database-url": flags.text("databaseUrl"), "data-dir": flags.text("dataDir") };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

async function tell(cli: Cli, { said, code }: ResetAnswer): Promise<ExitCode> {
  if (said?.["ok"] !== true) throw resetError(said, code);
  const { email, accountId, endedLogins, devices } = said;
  if (cli.json) await cli.output.json({ email, accountId, endedLogins, devices });
  else if (cli.quiet) await cli.output.data(`${String(accountId)}\n`);
  else {
    const { ok } = iconsFor(cli.output.facts.stdout);
    await cli.output.data(`${ok} ${stripControls(String(said["message"]))}\n`);
    cli.output.note(stripControls(String(said["next"])));
  }
  return 0;
}

function resetError(said: Record<string, unknown> | null, code: number | null): CliError {
  const unknown = "Whether the new password counts is not known: do it once more.";
  if (code === null) return interrupted(unknown);
  const { code: word = "fault", reason = `The cloud's program ended with exit code ${code}. ${unknown}` } = said ?? {};
  return new CliError({ code: String(word), exitCode: exitCodeOf(code), message: String(reason) });
}

/** The program's exit codes are those of our table. */
function exitCodeOf(code: number): ExitCode {
  const known = (Object.keys(EXIT_CODES) as `${ExitCode}`[]).map(Number).find((each) => each === code);
  return known === undefined || known === 0 ? 1 : (known as ExitCode);
}
