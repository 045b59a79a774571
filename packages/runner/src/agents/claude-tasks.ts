import { field, isObject, type JsonObject, listField, stringField } from "./field.ts";

/** More are not counted: a run with so many is open in any case. */
const MOST_TASKS = 1000;

const OVER = new Set(["completed", "failed", "stopped", "killed", "cancelled"]);

/** Counts the background tasks of a run, told by `task_*` and `background_tasks_changed` lines. */
export class ClaudeTasks {
  /** Task id → id of the call that started it; empty when that is not known. */
  readonly #open = new Map<string, string>();

  /** Takes a system line; lines about something else change nothing. */
  take(line: JsonObject): void {
    const subtype = stringField(line, "subtype");
    if (subtype === "background_tasks_changed") return this.#replace(listField(line, "tasks"));
    const id = stringField(line, "task_id");
    if (id === undefined) return;
    if (subtype === "task_started" && field(line, "is_backgrounded") === true && this.#open.size < MOST_TASKS) {
      this.#open.set(id, stringField(line, "tool_use_id") ?? "");
    }
    const status = subtype === "task_updated" ? stringField(line, "patch", "status") : stringField(line, "status");
    if (subtype === "task_notification" || (subtype === "task_updated" && OVER.has(status ?? "")))
      this.#open.delete(id);
  }

  #replace(tasks: readonly unknown[]): void {
    const ids = tasks
      .slice(0, MOST_TASKS)
      .filter(isObject)
      .map((task) => stringField(task, "task_id") ?? "");
    const named = new Set(ids);
    for (const id of this.#open.keys()) if (!named.has(id)) this.#open.delete(id);
    for (const id of ids) if (id !== "" && !this.#open.has(id)) this.#open.set(id, "");
  }

  /** How many tasks are open, without those whose command `isOpenCommand` counts already. */
  openBeside(isOpenCommand: (callId: string) => boolean): number {
    let open = 0;
    for (const call of this.#open.values()) if (!isOpenCommand(call)) open += 1;
    return open;
  }
}
