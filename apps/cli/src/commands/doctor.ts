import type { CheckView, DoctorReport } from "@codehands/api";
import type { Cli } from "../cli.ts";
import type { CliError } from "../cli-error.ts";
import { toCliError } from "../connect/to-cli-error.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Call } from "../program/command-spec.ts";
import { renderDoctor } from "../render/doctor-lines.ts";

/** `codehands doctor`: what works and what does not. Exit 0 when all is well, 1 when not, 7 without a daemon. */
export async function doctor(cli: Cli, { flags }: Call): Promise<ExitCode> {
  let report: DoctorReport;
  let exitCode: ExitCode;
  try {
    const client = await cli.daemon.client();
    report = await client.health.doctor.mutate({ fix: flags.on("fix"), probe: flags.on("probe") });
    exitCode = report.ok ? 0 : 1;
  } catch (error) {
    const failure = toCliError(error);
    report = withoutDaemon(failure, process.versions.node);
    exitCode = failure.exitCode;
  }
  if (cli.json) await cli.output.json(report);
  else await cli.output.data(renderDoctor(report, cli.output.facts.stdout));
  return exitCode;
}

const OLDEST_NODE = [20, 19] as const;

/** What can be said when the daemon does not answer. `node` is the running version, `20.19.1`. */
export function withoutDaemon(failure: Pick<CliError, "message" | "hint">, node: string): DoctorReport {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  const checks: CheckView[] = [
    {
      id: "node",
      title: "node",
      status: isNew ? "ok" : "fail",
      detail: isNew ? node : `${node} is too old`,
      fix: isNew ? null : `install Node ${OLDEST_NODE.join(".")} or newer`,
    },
    { id: "daemon", title: "daemon", status: "fail", detail: failure.message, fix: failure.hint },
  ];
  return { ok: false, checks };
}
