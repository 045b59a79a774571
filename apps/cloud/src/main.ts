import { readCloudConfig } from "./config.ts";
import { explainStartFailure } from "./health/explain-start-failure.ts";
import { openLog } from "./logs/open-log.ts";
import { type Cloud, openCloud } from "./open-cloud.ts";

const EXIT = { fault: 1, badConfig: 2, interrupted: 130 } as const;

// Whoever reads the log may be gone long before us.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
process.umask(0o077);

const began = Date.now();
const reading = readCloudConfig();
if (!reading.ok) {
  for (const problem of reading.problems) say(problem);
  process.exit(EXIT.badConfig);
}
const { config } = reading;
const log = openLog({ level: config.logLevel, write: (line) => process.stdout.write(line) });

let cloud: Cloud | null = null;
let asked = false;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (asked) process.exit(EXIT.interrupted);
    asked = true;
    log.info({ signal }, "asked to end");
    void end();
  });
}
// Whoever started us with a channel is gone: a server that nobody can reach by its command is ended in order.
process.on("disconnect", () => {
  if (asked) return;
  asked = true;
  log.info({}, "the command that started this ended");
  void end();
});
for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
  // What state we are in is not known any more. What was acknowledged is in the database.
  process.on(fault, (error: unknown) => {
    log.error({ error }, "a fault of ours ended the cloud");
    process.exit(EXIT.fault);
  });
}

try {
  cloud = await openCloud({ config, log });
  say(
    `codehands cloud: listening on ${cloud.origins[0]} (port ${cloud.port}, pid ${process.pid}), ready after ${Date.now() - began} ms`,
  );
  if (asked) await end();
} catch (error) {
  const why = explainStartFailure(error);
  if (why === null) log.error({ error }, "could not start");
  say(why ?? "A fault of ours stopped the start. Its details are in the log.");
  process.exit(EXIT.fault);
}

async function end(): Promise<void> {
  // While it starts, the start ends it.
  if (cloud === null) return;
  await cloud.close();
  log.info({}, "ended");
  process.exit(0);
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
