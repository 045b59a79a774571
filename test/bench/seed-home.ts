import Database from "better-sqlite3";

export interface Seed {
  sessions: number;
  /** Of each session. */
  events: number;
  newId: () => string;
}

/** Writes a long history into the database of a stopped device, as its own sessions; their ids, newest first. */
export function seedHome(file: string, { sessions, events, newId }: Seed): string[] {
  const database = new Database(file);
  const deviceId = database.prepare("select value from meta where key = 'device_id'").pluck().get() as string;
  const insert = (table: string, row: Record<string, unknown>): void => {
    const names = Object.keys(row);
    const sql = `insert into ${table} (${names.join(", ")}) values (${names.map((name) => `@${name}`).join(", ")})`;
    database.prepare(sql).run(row);
  };
  const event = database.prepare(
    "insert into events (session_id, seq, id, type, at, payload, run_id) values (?, ?, ?, 'message', ?, ?, null)",
  );
  const ids: string[] = [];
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const repo = { repo_key: "0123456789ab", name: "shop", match_key: "shop", created_at: at(0), last_used_at: at(0) };
  database.transaction(() => insert("repos", repo))();
  for (let number = 0; number < sessions; number++) {
    const [id, taskId] = [newId(), newId()];
    const about = { title: `Session ${number}`, prompt: `Do the thing number ${number}`, created_at: at(number) };
    database.transaction(() => {
      insert("tasks", { id: taskId, repo_key: repo.repo_key, ...about, created_by: deviceId, active_session_id: id });
      insert("sessions", {
        id,
        task_id: taskId,
        repo_key: repo.repo_key,
        repo_path: "/srv/shop",
        device_id: deviceId,
        ...about,
        agent: "claude-code",
        status: "failed",
        reason: "discarded",
        last_seq: events,
      });
      for (let seq = 1; seq <= events; seq++) {
        const payload = JSON.stringify({ text: `event ${seq} of session ${number}: ${newId().repeat(3)}` });
        event.run(id, seq, newId(), at(number), payload);
      }
    })();
    ids.unshift(id);
  }
  database.close();
  return ids;
}
