import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenDatabase, openDatabase } from "../database/open-database.ts";
import { inTransaction } from "../database/transaction.ts";
import { touchRepo } from "../repos/repo-rows.ts";
import { insertTask } from "../tasks/task-rows.ts";
import { insertSession } from "./session-rows.ts";

export interface TestStore {
  dir: string;
  store: OpenDatabase;
  /** Stores a queued session and returns its id. */
  add(over?: { id?: string; title?: string; createdAt?: string; branch?: string }): string;
  close(): void;
}

/** A database in a temp folder with one repository, for tests of single parts. */
export function makeStore(): TestStore {
  const dir = mkdtempSync(join(tmpdir(), "codehands-store-"));
  const store = openDatabase(join(dir, "state.db"));
  const at = "2026-01-01T00:00:00.000Z";
  inTransaction(store, (tx) =>
    touchRepo(tx, { repoKey: "repo", name: "repo", remote: "https://x/y", matchKey: "y", defaultBranch: "main" }, at),
  );
  return {
    dir,
    store,
    add({ id = randomUUID(), title = "Work", createdAt = at, branch } = {}) {
      const taskId = randomUUID();
      inTransaction(store, (tx) => {
        const task = { id: taskId, repoKey: "repo", title, prompt: title, createdBy: "device" };
        insertTask(tx, { ...task, activeSessionId: id, createdAt });
        insertSession(tx, {
          id,
          taskId,
          repoKey: "repo",
          repoPath: dir,
          deviceId: "device",
          title,
          prompt: title,
          agent: "sample",
          createdAt,
          ...(branch === undefined ? {} : { branch }),
        });
      });
      return id;
    },
    close() {
      store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
