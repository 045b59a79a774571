import { setImmediate as nextTurn } from "node:timers/promises";
import type { Writing } from "@codehands/client";
import { Draft, editRecord } from "@codehands/client/store";
import { RECORD_KINDS } from "@codehands/contracts";
import { isRecord, readJson } from "../database/read-json.ts";
import { inTransaction, type Tx } from "../database/transaction.ts";
import { dirtyRepos, markRepoSent, type RepoRow } from "../repos/repo-rows.ts";
import { dirtyPreferences, markPreferenceSent } from "../settings/preference-rows.ts";
import { dirtyTasks, markTaskSent, type TaskRow } from "../tasks/task-rows.ts";
import type { CollectDeps } from "./collector.ts";
import { cutPrompt } from "./cut-prompt.ts";

const BATCH = 100;

/** A row of one of the device's own tables as the record that it becomes. */
interface Behind {
  kind: number;
  id: string;
  body: Record<string, unknown>;
  /** Called in the transaction that stores the record. */
  sent: (tx: Tx) => void;
}

/** Writes the records of repositories, tasks and preferences that are behind. */
export async function collectShared(deps: CollectDeps, writing: Writing): Promise<void> {
  for (const find of [findRepos, findTasks, findPreferences]) {
    for (;;) {
      const behind = await find(deps, writing);
      if (behind.length === 0) break;
      const written = inTransaction(deps.store, (tx) => ({ announce: write(tx, deps, behind) }));
      written.announce();
      await nextTurn();
    }
  }
}

function write(tx: Tx, deps: CollectDeps, behind: readonly Behind[]): () => void {
  const { announce } = deps.device.applyIn(tx, { records: behind }, (view) => {
    const draft = new Draft(view);
    for (const { kind, id, body, sent } of behind) {
      const held = draft.record({ kind, id });
      const json = readJson(held?.deleted ? null : (held?.body ?? null));
      const told = json.ok && isRecord(json.value) ? json.value : {};
      // What a newer version told of it is kept.
      const text = JSON.stringify({ ...told, ...body });
      if (text !== held?.body || held.deleted)
        draft.putRecord({ kind, id }, editRecord(held, { kind, id, body: text }, view.state.deviceId));
      sent(tx);
    }
    return { changes: draft.changes(), result: undefined };
  });
  return announce;
}

async function findRepos({ store }: CollectDeps, writing: Writing): Promise<Behind[]> {
  const kind = RECORD_KINDS.repo;
  return await Promise.all(
    dirtyRepos(store, BATCH).map(async (row) => ({
      kind,
      id: await writing.recordId(kind, [row.repoKey]),
      body: repoBody(row),
      sent: (tx: Tx) => markRepoSent(tx, row.repoKey, row.rev),
    })),
  );
}

function repoBody(row: RepoRow): Record<string, unknown> {
  const { rev: _rev, dirty: _dirty, ...project } = row;
  return project;
}

async function findTasks({ store }: CollectDeps): Promise<Behind[]> {
  return dirtyTasks(store, BATCH).map((row) => ({
    kind: RECORD_KINDS.task,
    id: row.id,
    body: taskBody(row),
    sent: (tx: Tx) => markTaskSent(tx, row.id, row.rev),
  }));
}

function taskBody(row: TaskRow): Record<string, unknown> {
  const { rev: _rev, dirty: _dirty, ...task } = row;
  return { ...task, prompt: cutPrompt(task.prompt) };
}

async function findPreferences({ store }: CollectDeps, writing: Writing): Promise<Behind[]> {
  const kind = RECORD_KINDS.preference;
  return await Promise.all(
    dirtyPreferences(store, BATCH).map(async ({ scope, key, body, rev }) => {
      const value = readJson(body);
      return {
        kind,
        id: await writing.recordId(kind, [scope, key]),
        body: { scope, key, value: value.ok ? value.value : null },
        sent: (tx: Tx) => markPreferenceSent(tx, { scope, key }, rev),
      };
    }),
  );
}
