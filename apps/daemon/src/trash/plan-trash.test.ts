import { expect, test } from "vitest";
import { planTrash } from "./plan-trash.ts";
import { trashRowOf } from "./trash-row-of.ts";

const row = (sessionId: string, day: number, bytes: number | null) => ({
  sessionId,
  ref: "r",
  folder: `/trash/${sessionId}`,
  bytes,
  deletedAt: `2026-01-0${day}`,
  expiresAt: `2026-02-0${day}`,
});
const gone = (rows: ReturnType<typeof row>[], now: string, cap = 100) =>
  planTrash(rows, { now, cap }).map((one) => one.sessionId);

test("what is over its time goes, what is not stays", () => {
  const rows = [row("new", 3, 1), row("old", 1, 1), row("mid", 2, 1)];
  expect(gone(rows, "2026-02-02")).toEqual(["old", "mid"]);
  expect(gone(rows, "2026-01-20")).toEqual([]);
});

test("over the cap the oldest go first, and only until the rest fits", () => {
  const rows = [row("c", 3, 40), row("a", 1, 40), row("b", 2, 40)];
  expect(gone(rows, "2026-01-20")).toEqual(["a"]);
  expect(gone(rows, "2026-01-20", 30)).toEqual(["a", "b", "c"]);
});

test("a folder of unknown size is not taken for the cap's sake", () => {
  expect(gone([row("a", 1, null), row("b", 2, 200)], "2026-01-20")).toEqual(["b"]);
});

test("a session without a worktree leaves nothing in the trash; another is kept for the days of the setting", () => {
  const deps = {
    paths: { trash: "/h/trash" } as never,
    clock: () => "2026-01-01T00:00:00.000Z",
    settings: { trashDays: 14 },
  };
  expect(trashRowOf(deps, { id: "s", worktree: null })).toBeNull();
  expect(trashRowOf(deps, { id: "s", worktree: "/w" })).toMatchObject({
    folder: "/h/trash/s",
    expiresAt: "2026-01-15T00:00:00.000Z",
  });
});
