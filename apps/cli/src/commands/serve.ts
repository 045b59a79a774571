import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import { runCloud } from "../connect/run-cloud.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import type { Flags } from "../program/flags.ts";

/** `codehands serve`: runs the sealed cloud in the foreground until it is told to end. */
export async function serve(cli: Cli, { args, flags }: Call): Promise<ExitCode> {
  const words = serveWords(flags, args[0]);
  // The cloud ends itself in order; until then Ctrl-C is its own.
  const giveBack = cli.onInterrupt(() => undefined);
  try {
    const code = await runCloud({ words, cwd: cli.cwd, environment: cli.environment.forDaemon });
    if (code === 0 || code === 2 || code === 130) return code;
    return 1;
  } finally {
    giveBack();
  }
}

/** The words for the cloud's program. Throws a usage error when `--tls` lacks its key. */
export function serveWords(flags: Flags, key: string | undefined): string[] {
  const tls = flags.text("tls");
  if (tls !== undefined && key === undefined) throw usageError("--tls takes two files: --tls CERT KEY.");
  if (tls === undefined && key !== undefined) throw usageError(`'${key}' is not understood: serve takes options only.`);
  const port = flags.number("port");
  const plain = {
    host: flags.text("host"),
    "database-url": flags.text("databaseUrl"),
    "data-dir": flags.text("dataDir"),
  };
  return [
    ...(port === undefined ? [] : ["--port", String(port)]),
    ...Object.entries(plain).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...(flags.on("restored") ? ["--restored"] : []),
    ...(tls === undefined || key === undefined ? [] : ["--tls", tls, key]),
  ];
}
