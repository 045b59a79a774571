import { readDaemonConfig } from "./config.ts";
import { explainStartFailure } from "./health/explain-start-failure.ts";
import { DaemonError } from "./home/daemon-error.ts";
import { type Daemon, openDaemon } from "./open-daemon.ts";

const EXIT = { fault: 1, badConfig: 2, inUse: 5, interrupted: 130 } as const;

// The terminal or the program that started us may be gone long before us.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
process.umask(0o077);

const reading = readDaemonConfig();
if (!reading.ok) {
  for (const problem of reading.problems) say(problem);
  process.exit(EXIT.badConfig);
}

let daemon: Daemon | null = null;
let asked = false;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    daemon?.log.info({ signal }, "asked to end");
    void daemon?.close();
  });
}
for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
  // What state we are in is not known any more. The agents go on, and the next start adopts them.
  process.on(fault, (error: unknown) => {
    daemon?.log.error({ error }, "a fault of ours ended the daemon");
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(EXIT.fault);
  });
}

try {
  daemon = await openDaemon(reading.config);
  say(`codehands daemon: listening on 127.0.0.1:${daemon.port} (pid ${process.pid})`);
  if (asked) void daemon.close();
  await daemon.closed;
  process.exit(0);
} catch (error) {
  const why = explainStartFailure(error);
  if (why === null) throw error;
  say(why);
  process.exit(error instanceof DaemonError && error.code === "home_in_use" ? EXIT.inUse : EXIT.fault);
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
