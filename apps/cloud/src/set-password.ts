/** The program behind `codehands serve password`: one e-mail address, the new password as a line of standard input. */
import { createInterface } from "node:readline";
import { OPERATOR_EXIT, type OperatorOutcome, resetByOperator } from "./accounts/reset-by-operator.ts";
import { type OperatorConfig, readOperatorConfig } from "./config.ts";
import { openLog } from "./logs/open-log.ts";
import { openOperatorLog } from "./logs/open-operator-log.ts";

const USAGE = "node dist/set-password.js EMAIL [--database-url URL] [--data-dir DIR] [--json] < FILE-WITH-THE-PASSWORD";

const say = (line: string): void => void process.stderr.write(line);
process.umask(0o077);

const reading = readOperatorConfig();
const outcome: OperatorOutcome = reading.ok
  ? await run(reading.config)
  : { ok: false, code: "usage", reason: `${reading.problems.join(" ")} Nothing was changed.` };
const json = reading.ok ? reading.config.json : reading.json;
if (json) process.stdout.write(`${JSON.stringify(outcome)}\n`);
else say(outcome.ok ? `${outcome.message}\n${outcome.next}\n` : `${outcome.reason}\n`);
process.exitCode = outcome.ok ? 0 : OPERATOR_EXIT[outcome.code];
// Whoever gave the password may leave the line open.
process.stdin.destroy();

async function run({ databaseUrl, dataDir, words }: OperatorConfig): Promise<OperatorOutcome> {
  const [email, ...more] = words;
  if (email === undefined || more.length > 0) return { ok: false, code: "usage", reason: USAGE };
  const password = process.stdin.isTTY ? null : await firstLine();
  if (password === null)
    return { ok: false, code: "usage", reason: `There is no password on standard input. ${USAGE}` };
  try {
    const log = openOperatorLog(dataDir, say);
    return await resetByOperator({ place: { databaseUrl, dataDir }, email, password, log });
  } catch (error) {
    openLog({ level: "error", write: say }).error({ error }, "could not set a password");
    const reason = "A fault of ours stopped this; its details are above. Whether the new password counts is not known.";
    return { ok: false, code: "fault", reason };
  }
}

async function firstLine(): Promise<string | null> {
  for await (const line of createInterface({ input: process.stdin })) return line;
  return null;
}
