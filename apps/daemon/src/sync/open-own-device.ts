import type { AgentsPort, LocalSyncPort, SessionsPort } from "@codehands/api";
import { type Device, type DeviceOptions, openDevice } from "@codehands/client";
import { NODE_PORTS } from "@codehands/client/node";
import type { AgentStatus, CrashPoint } from "@codehands/contracts";
import { type ChangeSealer, createChangeSealer } from "../changes/change-sealer.ts";
import { readCommand } from "../commands/command-rows.ts";
import type { OpenDatabase } from "../database/open-database.ts";
import { createKeyFile } from "../keys/key-file.ts";
import type { Log } from "../logs/open-log.ts";
import type { ShowNotice } from "../notices/desktop-notices.ts";
import { obeyedNotice, tellWhenWaiting } from "../notices/tell-person.ts";
import { isLeftToOther } from "../sessions/left-to-other.ts";
import { mergeSessions } from "../sessions/merge-sessions.ts";
import { countUncollected, isOwnSession } from "../sessions/session-rows.ts";
import type { ViewContext } from "../sessions/session-view.ts";
import type { ConfigFile } from "../settings/config-schema.ts";
import type { Supervisor } from "../supervisor/open-supervisor.ts";
import { sentenceOf } from "../supervisor/read-fault.ts";
import { createCollector } from "./collector.ts";
import { createCommandDoor } from "./command-door.ts";
import { countOrphans, countQuarantined, senderName } from "./read-account-facts.ts";
import { createAccountStore } from "./sqlite-account-store.ts";
import { createDeviceStore } from "./sqlite-device-store.ts";

export interface OwnDeviceOptions {
  store: OpenDatabase;
  boot: { deviceId: string; bootId: string };
  /** This device as it is called now. */
  me: Readonly<ViewContext>;
  /** What it is called until a person names it otherwise. */
  machineName: string;
  keyFile: string;
  version: string;
  /** ISO time of this start. */
  startedAt: string;
  /** ISO time of now. */
  clock: () => string;
  log: Log;
  crashPoint: CrashPoint;
  supervisor: Supervisor;
  agents: Pick<AgentsPort, "list">;
  /** What the person's config file says now. */
  config: () => ConfigFile;
  /** Masks what looks like a secret in a text. */
  redact: (text: string) => string;
  show: ShowNotice;
  /** The key of the repository at a path of this device; null when there is none. */
  repoKeyAt: (path: string) => Promise<string | null>;
  fetch?: typeof fetch;
}

export interface OwnDevice {
  device: Device;
  /** All sessions of the account, this device's own among them. */
  sessions: SessionsPort;
  /** The exchange. A copy becomes a device of its own only while no agent of it is at work. */
  sync: LocalSyncPort;
  changes: ChangeSealer;
  /** Sealed items of other devices that cannot be opened. */
  quarantined: () => number;
  /** Events of other devices that the cloud does not hold any more. */
  orphans: () => number;
  /** Loads the account, if there is one, and begins to sync. A fault of it stops nothing else. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const STILL_RUNNING =
  "An agent of this copy is at work. Wait for its end or stop it (codehands ls, codehands stop), then say it again. Nothing was changed.";

/** This device as a member of its account: its stores, what it sends, what it obeys, and the sessions of all devices. */
export function openOwnDevice(o: OwnDeviceOptions): OwnDevice {
  const { store, log, supervisor } = o;
  const { bus } = supervisor;
  const context = (): ViewContext => o.me;
  const fault = (what: string) => (error: unknown) => log.error({ error: sentenceOf(error) }, what);
  // Commands and records meet the device only once it is open.
  const held: { device: Device | null; changes: ChangeSealer | null } = { device: null, changes: null };
  const changed = (): void => held.device?.changed();

  const door = createCommandDoor({
    authority: () => held.device?.authority() ?? null,
    claim: () => ({ boot: o.boot.bootId, at: o.clock() }),
    crashPoint: o.crashPoint,
    obey(row) {
      const sender = senderName(store, row.senderDevice);
      log.info(
        { command: row.kind, sessionId: row.sessionId, sender, state: row.state },
        "a command of another device",
      );
      if (row.state !== "refused" && o.config().notify !== false) o.show(obeyedNotice(store, row, sender));
      supervisor
        .obey(row)
        .then((now) => {
          // Who reviewed an older change has to see the one that is there.
          if (now.code === "stale_tree" && now.sessionId !== null) held.changes?.look(now.sessionId);
          changed();
        })
        .catch(fault("a command of another device could not be carried out"));
    },
  });
  const deviceStore = createDeviceStore({
    store,
    deviceId: o.boot.deviceId,
    commands: door,
    onRenumbered: bus.poke,
    onFault: fault("a listener of the sync failed"),
  });
  const writing = () => held.device?.writing() ?? null;
  const collector = createCollector({ store, device: deviceStore, bus, context, writing, changed });
  const changes = createChangeSealer({
    store,
    device: deviceStore,
    bus,
    log,
    writing,
    changed,
    diff: supervisor.diff,
    redact: o.redact,
  });
  held.changes = changes;
  const options: DeviceOptions = {
    store: deviceStore,
    account: createAccountStore(store),
    keys: createKeyFile(o.keyFile),
    about: {
      name: o.machineName,
      kind: "daemon",
      platform: process.platform === "darwin" ? "darwin" : "linux",
      version: o.version,
      agents: async () => (await o.agents.list()).map((agent) => agentStatus(agent, o.me.deviceId)),
    },
    deviceId: o.boot.deviceId,
    boot: o.boot.bootId,
    clock: o.clock,
    ports: NODE_PORTS,
    compress: o.config().sync?.compress ?? true,
    commandsFrom: () => o.config().commands?.from ?? "all",
    onFault: ({ what, error }) => log.error({ what, error: sentenceOf(error) }, "a fault of the sync"),
    async collect() {
      await collector.collect();
      changes.catchUp();
    },
    uncollected: () => countUncollected(store, o.me.deviceId),
    ...(o.fetch === undefined ? {} : { fetch: o.fetch }),
  };
  const device = openDevice(options);
  held.device = device;
  const stopTelling = tellWhenWaiting({
    store,
    bus,
    show: o.show,
    isWanted: () => o.config().notify !== false,
    startedAt: o.startedAt,
  });
  const own: SessionsPort = {
    ...supervisor.sessions,
    async diff(sessionId) {
      const diff = await supervisor.sessions.diff(sessionId);
      if (diff !== null) changes.saw(sessionId, diff.treeId);
      return diff;
    },
  };
  return {
    device,
    changes,
    sync: {
      ...device.sync,
      async identity(choice) {
        // Its sessions go on under ids of their own: a run would go on under the old one.
        if (choice.as === "new" && supervisor.reading() > 0)
          return { ...(await device.sync.status()), error: STILL_RUNNING };
        return await device.sync.identity(choice);
      },
    },
    sessions: mergeSessions({
      own,
      others: device.sessions,
      deviceId: () => o.me.deviceId,
      isOwn: (sessionId) => isOwnSession(store, sessionId) && !isLeftToOther(store, sessionId),
      isOwnCommand: (commandId) => readCommand(store, commandId) !== undefined,
      repoKeyAt: o.repoKeyAt,
    }),
    quarantined: () => countQuarantined(store),
    orphans: () => countOrphans(store),
    start: () => device.start().catch(fault("the account could not be opened; sessions of this device go on")),
    async close() {
      stopTelling();
      collector.close();
      await changes.close();
      await device.close();
    },
  };
}

function agentStatus(agent: Awaited<ReturnType<AgentsPort["list"]>>[number], deviceId: string): AgentStatus {
  const { provider } = agent;
  return {
    ...agent,
    // Where a program lies is this device's own business.
    path: null,
    provider:
      provider === null
        ? null
        : {
            ...provider,
            agent: agent.agent,
            deviceId,
            state: provider.state as NonNullable<AgentStatus["provider"]>["state"],
          },
  };
}
