import { type CheckView, type DoctorReport, type HealthPort, PROTOCOL_VERSION } from "@codehands/api";
import type { HomePaths } from "@codehands/contracts";
import type { Agents } from "../agents/agents-port.ts";
import type { AskProgram } from "../agents/ask-program.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import type { ConfigStore } from "../settings/config-store.ts";
import type { LiveSettings } from "../settings/live-settings.ts";
import type { Supervisor } from "../supervisor/open-supervisor.ts";
import { found } from "./check.ts";
import { checkAgents } from "./check-agents.ts";
import { checkClaudeSettings } from "./check-claude-settings.ts";
import { checkDatabase } from "./check-database.ts";
import { checkConfig, checkDisk, checkPrivate } from "./check-home.ts";
import { checkGit, checkNode, checkSandbox, checkWatches } from "./check-machine.ts";
import { checkRegistrations } from "./check-registrations.ts";
import { checkSync } from "./check-sync.ts";
import { checkWorktrees } from "./check-worktrees.ts";
import { probeClaude } from "./probe-claude.ts";

export interface HealthDeps {
  store: OpenDatabase;
  paths: HomePaths;
  about: { version: string; bootId: string; homeId: string; startedAt: string };
  environment: Readonly<Record<string, string>>;
  config: ConfigStore;
  live: LiveSettings;
  agents: Agents;
  supervisor: Pick<Supervisor, "counts" | "orphans">;
  ask: AskProgram;
  /** Like `ask`, for a question that waits for a model. */
  askModel: AskProgram;
  /** ISO time of now. */
  clock: () => string;
  /** Starts the orderly end; returns at once. */
  shutdown: () => void;
  device: Parameters<typeof checkSync>[0];
}

type Look = CheckView | CheckView[] | null;

/** How the daemon is, and what may be wrong around it. Only `fix` changes anything: permissions and stale entries; only `probe` spends. */
export function createHealth(deps: HealthDeps): HealthPort {
  const { store, paths, about, live } = deps;

  async function lookAround(fix: boolean): Promise<CheckView[]> {
    const configured = deps.config.current();
    const looks: Promise<Look>[] = [
      Promise.resolve(checkNode(process.version)),
      checkGit(deps.ask),
      Promise.resolve(checkDatabase(store, paths.database)),
      Promise.resolve(
        found.ok(["daemon", "daemon"], `pid ${process.pid}, version ${about.version}, since ${about.startedAt}`),
      ),
      checkConfig(paths.config),
      checkPrivate(paths, fix),
      checkDisk(paths.home),
      deps.agents.list().then((agents) => checkAgents(agents, configured.agent ?? null)),
      checkClaudeSettings(deps.environment),
      Promise.resolve(checkSandbox(configured.sandbox)),
      checkWatches(process.platform),
      deps.supervisor.orphans().then((orphans) => checkWorktrees({ store, now: deps.clock(), orphans })),
      checkSync(deps.device, deps.clock()),
      checkRegistrations({ store, homeId: about.homeId, worktreeRoot: live.worktreeRoot, fix }),
    ];
    const groups = await Promise.all(looks);
    return groups.flat().filter((check) => check !== null);
  }

  async function probeAgents(): Promise<CheckView[]> {
    const claude = await deps.agents.findAgent("claude-code");
    if (!claude.ok) return [];
    const words = live.commandOf("claude-code")?.slice(1) ?? [];
    return [await probeClaude({ command: [claude.path, ...words], ask: deps.ask, askModel: deps.askModel })];
  }

  return {
    async health() {
      return { ok: true, pid: process.pid, protocol: PROTOCOL_VERSION, ...about, ...deps.supervisor.counts() };
    },
    async doctor({ fix, probe }): Promise<DoctorReport> {
      const checks = [...(await lookAround(fix)), ...(probe ? await probeAgents() : [])];
      return { ok: checks.every((check) => check.status !== "fail"), checks };
    },
    async shutdown() {
      deps.shutdown();
    },
  };
}
