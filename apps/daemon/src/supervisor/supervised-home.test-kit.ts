import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CommandAnswer, SessionView } from "@codehands/api";
import type { CommandAuthority } from "@codehands/client";
import type { HeldRecord } from "@codehands/client/store";
import { type Command, type CrashPoint, homePaths, RECORD_KINDS } from "@codehands/contracts";
import { type CommandRow, readCommand } from "../commands/command-rows.ts";
import { type OpenDatabase, openDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import { beginBoot } from "../home/meta.ts";
import { createCommandDoor } from "../sync/command-door.ts";
import { createDeviceStore } from "../sync/sqlite-device-store.ts";
import { openSupervisor, type Supervisor } from "./open-supervisor.ts";
import { createScriptedRunner } from "./scripted-runner.test-kit.ts";

export const PERSON = { runId: null };

export interface SupervisedHome {
  dir: string;
  store: OpenDatabase;
  supervisor: Supervisor;
  sessions: Supervisor["sessions"];
  /** Everything the supervisor logged as warning or error. */
  logged: string[];
  /** Starts a session with the lines of its script; the first line is the title. */
  begin(lines: string[], sessionId?: string): Promise<{ id: string; answer: CommandAnswer }>;
  /** Polls until the session is in one of the statuses. */
  until(sessionId: string, ...statuses: string[]): Promise<SessionView>;
  /** Polls until so many events are stored. */
  untilSeq(sessionId: string, seq: number): Promise<SessionView>;
  /** A new command about a session. */
  about(sessionId: string): { commandId: string; sessionId: string; expects: [] };
  /** Takes a command of another device on, as the sync does it, and resolves when it is answered. */
  receive(command: Pick<Command, "id" | "sessionId" | "payload"> & Partial<Command>): Promise<CommandRow>;
  close(): Promise<void>;
}

export interface HomeOptions {
  dir?: string;
  concurrency?: number;
  crashPoint?: CrashPoint;
  /** Opens the supervisor but does not start it. */
  idle?: boolean;
  /** Whether commands of other devices are obeyed; all are when absent. */
  judge?: CommandAuthority["judge"];
}

/** The device that sends the commands of `receive`. */
export const SENDER = "5e9de500-0000-4000-8000-000000000001";

/** A temp folder for one home; the caller removes it with `removeHome`. */
export function makeHome(): string {
  return mkdtempSync(join(tmpdir(), "codehands-daemon-"));
}

/** Removes a temp home. */
export function removeHome(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

/** A supervisor over a real database and a scripted runner in one folder; opened again it goes on where it was. */
export async function openHome(options: HomeOptions = {}): Promise<SupervisedHome> {
  const dir = options.dir ?? makeHome();
  const store = openDatabase(join(dir, "state.db"));
  const { bootId, deviceId } = inTransaction(store, (tx) => beginBoot(tx));
  const logged: string[] = [];
  const log = (what: Record<string, unknown>, message: string) =>
    void logged.push(`${message} ${JSON.stringify(what)}`);
  const crashPoint = options.crashPoint ?? (() => {});
  const worktreeRoot = join(dir, "worktrees");
  mkdirSync(worktreeRoot, { recursive: true });
  const supervisor = openSupervisor({
    store,
    makeRunner: (runner) => createScriptedRunner({ dir, ...runner }),
    clock: () => new Date().toISOString(),
    deviceId,
    deviceName: "laptop",
    bootId,
    paths: homePaths(dir),
    settings: { concurrency: options.concurrency ?? 4, trashDays: 14, worktreeRoot },
    resolveStart: async (input) => ({
      ok: true,
      repo: { repoKey: "abcdefabcdef", name: "repo", remote: null, matchKey: "repo", defaultBranch: "main" },
      clone: {
        repoKey: "abcdefabcdef",
        path: input.repoPath,
        commonDir: `${dir}/.git`,
        rootCommit: null,
        objectFormat: "sha1",
      },
      agent: input.agent ?? "sample",
      model: input.model ?? null,
      phases: null,
      budgetUsd: input.budgetUsd ?? 0.5,
      testCommands: ["npm test"],
      base: input.base ?? null,
      notes: null,
      trustRepoSettings: false,
    }),
    log: { info: () => {}, warn: log, error: log },
    crashPoint,
  });
  const device = createDeviceStore({
    store,
    deviceId,
    commands: createCommandDoor({
      authority: () => ({ judge: options.judge ?? (() => ({ ok: true })) }),
      claim: () => ({ boot: bootId, at: new Date().toISOString() }),
      crashPoint,
      obey: (row) => void supervisor.obey(row).catch((error: unknown) => logged.push(String(error))),
    }),
    onRenumbered: supervisor.bus.poke,
    onFault: (error) => void logged.push(String(error)),
  });
  if (options.idle !== true) await supervisor.start();
  const { sessions } = supervisor;
  const poll = async (sessionId: string, isThere: (session: SessionView) => boolean): Promise<SessionView> => {
    const deadline = Date.now() + 25_000;
    for (;;) {
      const session = await sessions.get(sessionId);
      if (session !== null && isThere(session)) return session;
      if (Date.now() > deadline) throw new Error(`still ${session?.status} ${session?.lastSeq}: ${logged.join("; ")}`);
      await pause(5);
    }
  };
  return {
    dir,
    store,
    supervisor,
    sessions,
    logged,
    async begin(lines, sessionId = randomUUID()) {
      const prompt = lines.join("\n");
      const answer = await sessions.start({ commandId: randomUUID(), sessionId, repoPath: dir, prompt }, PERSON);
      return { id: sessionId, answer };
    },
    until: (sessionId, ...statuses) => poll(sessionId, (session) => statuses.includes(session.status)),
    untilSeq: (sessionId, seq) => poll(sessionId, (session) => session.lastSeq >= seq),
    about: (sessionId) => ({ commandId: randomUUID(), sessionId, expects: [] }),
    async receive(given) {
      const command: Command = {
        targetDeviceId: deviceId,
        senderDeviceId: SENDER,
        expects: { status: [] },
        incarnation: "i",
        at: new Date().toISOString(),
        ...given,
      };
      const record = recordOf(command);
      await device.apply({}, () => ({ changes: [{ op: "accept", command: record }], result: undefined }));
      const deadline = Date.now() + 25_000;
      for (;;) {
        const row = readCommand(store, command.id);
        if (row !== undefined && row.state !== "claimed") return row;
        if (Date.now() > deadline) throw new Error(`still ${row?.state}: ${logged.join("; ")}`);
        await pause(5);
      }
    },
    async close() {
      await supervisor.drain();
      store.close();
    },
  };
}

function recordOf(command: Command): HeldRecord {
  return {
    kind: RECORD_KINDS.command,
    id: command.id,
    rev: 1,
    body: JSON.stringify(command),
    deleted: false,
    writer: command.senderDeviceId,
    mac: "m",
    item: "i",
    base: null,
    dirty: "",
    blocked: null,
    quarantine: null,
  };
}
