import type { CommandAnswer } from "@codehands/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { landedCommits } from "./scripted-branch.test-kit.ts";
import { openHome, PERSON, removeHome, type SupervisedHome } from "./supervised-home.test-kit.ts";

let home: SupervisedHome;

beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  await home.close();
  removeHome(home.dir);
});

const codes = (answers: CommandAnswer[]) => answers.map((answer) => (answer.ok ? "ok" : answer.code));

test("F31: 200 approvals and rejections at once: exactly one kind wins, and every other one is told the new status", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId } = await home.until(id, "awaiting_approval");
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      n % 2 === 0
        ? home.sessions.reject(home.about(id), PERSON)
        : home.sessions.approve({ ...home.about(id), treeId: treeId ?? "" }, PERSON),
    ),
  );
  const session = await home.sessions.get(id);
  const rejects = codes(answers.filter((_, n) => n % 2 === 0));
  const approvals = codes(answers.filter((_, n) => n % 2 === 1));
  expect(session?.status).toBe("rejected");
  expect(new Set(rejects)).toEqual(new Set(["ok"]));
  expect(new Set(approvals)).toEqual(new Set(["illegal_move"]));
  expect(landedCommits(home.dir, id)).toEqual([]);
  const rows = home.store.prepare("select state, count(*) n from commands where session_id = ? group by state").all(id);
  expect(rows).toEqual([
    { state: "done", n: 101 },
    { state: "refused", n: 100 },
  ]);
});

test("F31: 200 approvals at once land exactly one commit and all get the same answer", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId } = await home.until(id, "awaiting_approval");
  const approve = () => home.sessions.approve({ ...home.about(id), treeId: treeId ?? "" }, PERSON);
  const answers = await Promise.all(Array.from({ length: 200 }, approve));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.ok && answer.result))).size).toBe(1);
  expect(landedCommits(home.dir, id)).toHaveLength(1);
});

test("F31: stop beside resume beside discard of one session: each is carried out or refused, and the end is legal", async () => {
  const { id } = await home.begin(["Work", "wait never"]);
  await home.untilSeq(id, 1);
  const answers = await Promise.all([
    home.sessions.resume(home.about(id), PERSON),
    home.sessions.stop(home.about(id), PERSON),
    home.sessions.stop(home.about(id), PERSON),
    home.sessions.discard(home.about(id), PERSON),
    home.sessions.resume(home.about(id), PERSON),
  ]);
  expect(codes(answers)).toEqual(["already_running", "ok", "illegal_move", "ok", "illegal_move"]);
  expect(await home.sessions.get(id)).toMatchObject({ status: "failed", reason: "discarded" });
});

test("a command is refused when the session is not what its sender saw", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  await home.until(id, "awaiting_approval");
  const answer = await home.sessions.reject({ ...home.about(id), expects: ["stopped"] }, PERSON);
  expect(answer).toMatchObject({ ok: false, code: "illegal_move", session: { status: "awaiting_approval" } });
});

test("a resume that has to wait for a free place is accepted, runs when there is one, and is not taken twice", async () => {
  await home.close();
  home = await openHome({ dir: home.dir, concurrency: 1 });
  const { id } = await home.begin(["Work", "wait never"]);
  await home.untilSeq(id, 1);
  await home.sessions.stop(home.about(id), PERSON);
  const other = await home.begin(["Other", "wait never"]);
  await home.until(other.id, "running");

  const resume = home.about(id);
  expect(await home.sessions.resume(resume, PERSON)).toMatchObject({ ok: true, session: { status: "stopped" } });
  expect(await home.sessions.resume(resume, PERSON)).toMatchObject({ ok: true });
  expect(await home.sessions.resume(home.about(id), PERSON)).toMatchObject({ ok: false, code: "already_running" });
  await home.sessions.stop(home.about(other.id), PERSON);
  await home.until(id, "awaiting_approval");
  const row = home.store.prepare("select state from commands where id = ?").pluck().get(resume.commandId);
  expect(row).toBe("done");
});

test("F05: an approval whose outcome cannot be stored is finished once it can be, with the one commit it landed", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId } = await home.until(id, "awaiting_approval");
  home.store.sqlite.exec(
    "create temp trigger full before update on sessions when new.status = 'approved' begin select raise(abort, 'disk'); end",
  );
  const command = { ...home.about(id), treeId: treeId ?? "" };
  await expect(home.sessions.approve(command, PERSON)).rejects.toThrow("disk");
  expect((await home.sessions.get(id))?.status).toBe("awaiting_approval");
  home.store.sqlite.exec("drop trigger full");
  await home.until(id, "approved");
  expect(await home.sessions.approve(command, PERSON)).toMatchObject({ ok: true, session: { status: "approved" } });
  expect(landedCommits(home.dir, id)).toHaveLength(1);
});

test("an approval that met a fault makes the same commit when a person asks again with the same words", async () => {
  const { id } = await home.begin(["Work", "finish"]);
  const { treeId } = await home.until(id, "awaiting_approval");
  const approve = () => home.sessions.approve({ ...home.about(id), treeId: treeId ?? "", message: "half" }, PERSON);
  await expect(approve()).rejects.toMatchObject({ code: "command_failed" });
  expect(landedCommits(home.dir, id)).toHaveLength(1);
  expect(await approve()).toMatchObject({ ok: true });
  expect(landedCommits(home.dir, id)).toHaveLength(1);
});
