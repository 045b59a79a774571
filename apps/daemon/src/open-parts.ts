import type { LocalPorts } from "@codehands/api";
import type { AgentKind, CrashPoint, Runner, RunnerOptions } from "@codehands/contracts";
import { createAgents } from "./agents/agents-port.ts";
import { createAskProgram } from "./agents/ask-program.ts";
import type { DaemonConfig } from "./config.ts";
import type { OpenDatabase } from "./database/open-database.ts";
import { createHealth } from "./health/health-port.ts";
import { readMeta } from "./home/meta.ts";
import type { Log } from "./logs/open-log.ts";
import type { ShowNotice } from "./notices/desktop-notices.ts";
import { identifyRepo } from "./repos/identify-repo.ts";
import { createPersonGit } from "./repos/person-git.ts";
import { createRepos } from "./repos/repos-port.ts";
import type { ViewContext } from "./sessions/session-view.ts";
import { openConfigStore } from "./settings/config-store.ts";
import { decideSetting } from "./settings/decide-setting.ts";
import { type LiveSettings, openLiveSettings } from "./settings/live-settings.ts";
import { readSources } from "./settings/read-sources.ts";
import { createResolveStart } from "./settings/resolve-start.ts";
import { createSettings } from "./settings/settings-port.ts";
import { openSupervisor, type Supervisor } from "./supervisor/open-supervisor.ts";
import { type OwnDevice, openOwnDevice } from "./sync/open-own-device.ts";
import { deviceNameOf } from "./sync/read-account-facts.ts";
import { createUsage } from "./usage/usage-port.ts";

export interface PartsOptions {
  config: DaemonConfig;
  store: OpenDatabase;
  boot: { homeId: string; deviceId: string; bootId: string };
  version: string;
  /** ISO time of this start. */
  startedAt: string;
  clock: () => string;
  log: Log;
  deviceName: string;
  crashPoint: CrashPoint;
  makeRunner: (options: RunnerOptions) => Runner;
  /** The runner's rule for the key of a repository. */
  repoKey: (path: string) => Promise<string>;
  /** Starts the orderly end; returns at once. */
  shutdown: () => void;
  /** Masks what looks like a secret in a text that leaves this device. */
  redact: (text: string) => string;
  show: ShowNotice;
  /** How the cloud is spoken to; the platform's own when absent. */
  fetch?: typeof fetch;
}

/** How long a model may take to say one word. */
const PROBE_MS = 60_000;

/** Puts the rooms of the daemon together: the ports of the local router, and the supervisor behind its sessions. */
export function openParts(o: PartsOptions): { ports: LocalPorts; supervisor: Supervisor; own: OwnDevice } {
  const { store, clock } = o;
  const { paths, environment, agentCommands, file } = o.config;
  const { bootId, homeId } = o.boot;
  // A copy of this home that became a device of its own goes on under another id (S3).
  const me: Readonly<ViewContext> = {
    get deviceId() {
      return readMeta(store, "device_id") ?? o.boot.deviceId;
    },
    // A person may give it another name than the machine's.
    get deviceName() {
      return deviceNameOf(store, me.deviceId) ?? o.deviceName;
    },
  };
  const config = openConfigStore(paths.config, file);
  const git = createPersonGit(environment);
  const deps = { store, git, repoKey: o.repoKey, agentCommands, worktrees: paths.worktrees, config, clock };
  const live = openLiveSettings(deps, config);
  const ask = createAskProgram(environment);
  const askModel = createAskProgram(environment, PROBE_MS);
  const sourcesOf = async (repoPath: string | null) => {
    await config.read();
    return (await readSources(deps, { file: config.current(), repoPath })).sources;
  };
  const agents = createAgents({
    store,
    get deviceId() {
      return me.deviceId;
    },
    version: o.version,
    environment,
    ask,
    commandOf: live.commandOf,
    configuredAgent: async (repoPath) => {
      return decideSetting("agent", await sourcesOf(repoPath)).value as AgentKind | null;
    },
  });
  const supervisor = openSupervisor({
    store,
    makeRunner: (options) => o.makeRunner({ ...options, ...runnerOptions(o, live) }),
    clock,
    get deviceId() {
      return me.deviceId;
    },
    get deviceName() {
      return me.deviceName;
    },
    bootId,
    paths,
    settings: live,
    resolveStart: createResolveStart({ ...deps, agents, memory: paths.memory }),
    trustsRepo: async (_repoKey, repoPath) => (await sourcesOf(repoPath)).trusted,
    log: o.log,
    crashPoint: o.crashPoint,
  });
  const own = openOwnDevice({
    store,
    boot: o.boot,
    me,
    machineName: o.deviceName,
    keyFile: paths.keys,
    version: o.version,
    startedAt: o.startedAt,
    clock,
    log: o.log,
    crashPoint: o.crashPoint,
    supervisor,
    agents,
    config: config.readNow,
    redact: o.redact,
    show: o.show,
    async repoKeyAt(path) {
      const found = await identifyRepo(path, { git, repoKey: o.repoKey });
      return found.ok ? found.repo.repoKey : null;
    },
    ...(o.fetch === undefined ? {} : { fetch: o.fetch }),
  });
  const { device } = own;
  const about = { version: o.version, bootId, homeId, startedAt: o.startedAt };
  const ports: LocalPorts = {
    sessions: own.sessions,
    account: device.account,
    pair: device.pair,
    devices: device.devices,
    sync: own.sync,
    repos: createRepos({ ...deps, sampleDirectory: paths.sample }),
    settings: createSettings(deps, config),
    usage: createUsage(store, me),
    agents,
    health: createHealth({
      store,
      paths,
      about,
      environment,
      config,
      live,
      agents,
      supervisor,
      ask,
      askModel,
      clock,
      shutdown: o.shutdown,
      device: { account: device.account, sync: device.sync, quarantined: own.quarantined, orphans: own.orphans },
    }),
  };
  return { ports, supervisor, own };
}

/** What the runner needs to know of this home. Programs and variables are read at each run, bounds at the start. */
function runnerOptions({ config, boot }: PartsOptions, live: LiveSettings): Partial<RunnerOptions> {
  const minutes = 60_000;
  return {
    home: config.paths.home,
    homeId: boot.homeId,
    worktreeRoot: live.worktreeRoot,
    environment: config.environment,
    agentCommand: {
      get "claude-code"() {
        return live.commandOf("claude-code") ?? undefined;
      },
      get codex() {
        return live.commandOf("codex") ?? undefined;
      },
      get sample() {
        return live.commandOf("sample") ?? undefined;
      },
    },
    agentEnvironment: {
      get "claude-code"() {
        return live.envOf("claude-code");
      },
      get codex() {
        return live.envOf("codex");
      },
    },
    limits: { idleMs: live.idleMinutes * minutes, wallMs: live.wallMinutes * minutes },
  };
}
