import type { CloudConfig } from "../config.ts";
import { isLoopback } from "../http/own-origins.ts";
import type { Log } from "./open-log.ts";

/** Says once, at the start, when passwords and tokens can be read on their way. */
export function warnOfPlainHttp(
  config: Pick<CloudConfig, "host" | "tls">,
  origins: readonly string[],
  log: Pick<Log, "warn">,
): void {
  const open = origins.filter(
    (origin) => origin.startsWith("http:") && !isLoopback(new URL(origin).hostname.replaceAll(/[[\]]/g, "")),
  );
  if (config.tls !== null || isLoopback(config.host) || open.length === 0) return;
  log.warn(
    { origins: open },
    "other machines reach this cloud without https: passwords can be read on their way, and phones refuse it. Give a certificate with --tls CERT KEY, or put a proxy with https in front",
  );
}
