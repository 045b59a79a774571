import type { CheckView } from "@codehands/api";

/** What is looked at: an id for programs, and a title for people. */
type Subject = readonly [id: string, title: string];

/** What the doctor found about one thing; `fix` says what to run or do. */
export const found = {
  ok: ([id, title]: Subject, detail: string): CheckView => ({ id, title, status: "ok", detail, fix: null }),
  warn: ([id, title]: Subject, detail: string, fix: string): CheckView => ({ id, title, status: "warn", detail, fix }),
  fail: ([id, title]: Subject, detail: string, fix: string): CheckView => ({ id, title, status: "fail", detail, fix }),
};

/** A size for people, in the unit that fits. */
export function sizeWords(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
