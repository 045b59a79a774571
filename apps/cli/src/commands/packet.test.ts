import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADAPTERS } from "@codehands/handover";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callCli } from "../call-cli.test-kit.ts";
import { HARNESSES, PACKET_COMMANDS } from "../program/packet-commands.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codehands-packet-"));
  writeFileSync(
    join(folder, "session.jsonl"),
    `${JSON.stringify({ type: "user", message: { role: "user", content: "fix it" } })}\n`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (words: readonly string[], more: { input?: string; variables?: Record<string, string> } = {}) =>
  callCli(["packet", ...words], { home: join(folder, "home"), cwd: folder, ...more });

test("codehands packet: all commands of handover, from a session to the next checkpoint's briefing", async () => {
  const draft = await call(["from-claude-code", "session.jsonl", "--agent", "claude"]);
  expect(draft).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(draft.stdout)).toMatchObject({ goal: "fix it", agent: "claude" });
  expect((await call(["from", "claude-code", "session.jsonl", "--agent=claude"])).stdout).toBe(draft.stdout);

  const packed = await call(["pack", "--goal", "fix the date", "--out", "-a.json", "--json"], { input: draft.stdout });
  expect(packed.exitCode).toBe(0);
  const packet = JSON.parse(packed.stdout) as { goal: string; provenance: object };
  expect(packet).toMatchObject({ goal: "fix the date", provenance: { created: "2026-01-02T03:10:00Z" } });
  expect(JSON.parse(readFileSync(join(folder, "-a.json"), "utf8"))).toEqual(packet);

  const file = ["--", "-a.json"];
  expect((await call(["show", ...file])).stdout).toBe("fix the date — 0 done, 0 next, 0 open\n");
  expect(await call(["validate", ...file])).toMatchObject({ exitCode: 0, stdout: "valid: -a.json\n" });
  expect((await call(["completeness", "--json", ...file])).stdout).toContain('"score": 0.14');
  expect((await call(["resume", ...file])).stdout).toMatch(/^# Resuming: fix the date\n/);
  expect((await call(["diff", "--", "-a.json", "-a.json"])).stdout).toBe("no changes\n");

  writeFileSync(join(folder, "bad.json"), JSON.stringify({ ...packet, goal: "other" }));
  const bad = await call(["validate", "bad.json"]);
  expect(bad).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("ID_MISMATCH") });
});

test("codehands packet: what cannot be done is told on stderr, with the exit code of it", async () => {
  expect(await call(["show", "none.json"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/no packet at/),
  });
  expect(await call(["from", "nope", "session.jsonl"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/there is no adapter/),
  });
  expect(await call(["frobnicate"])).toMatchObject({ exitCode: 2 });
});

test.each(PACKET_COMMANDS.map(({ path, args }) => [path, args] as const))(
  "codehands %s: wrong words",
  async (path, args) => {
    const words = path.split(" ").slice(1);
    expect(await call([...words, "--bogus"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--bogus"),
    });
    const many = ["a", "b", "c"].slice(0, (args?.split(" ").length ?? 0) + 1);
    expect(await call([...words, ...many])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("arguments"),
    });
    if (args === undefined) return;
    expect(await call(words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("Missing required argument"),
    });
  },
);

test("D-HO-1 inside of an agent's run a packet never lies in the worktree by itself", async () => {
  const variables = { CODEHANDS_RUN_ID: "run-1", HANDOVER_AGENT: "claude" };
  expect((await call(["pack", "--goal", "g"], { variables })).exitCode).toBe(0);
  expect(existsSync(join(folder, ".handover"))).toBe(false);
  expect(existsSync(join(folder, "home", "handovers", "run-1", "packet.json"))).toBe(true);
  expect((await call(["pack", "--goal", "g"], { variables: { HANDOVER_AGENT: "claude" } })).exitCode).toBe(0);
  expect(existsSync(join(folder, ".handover", "packet.json"))).toBe(true);
});

test("codehands packet knows every session that handover knows", () => {
  expect([...HARNESSES]).toEqual(Object.keys(ADAPTERS));
  expect(PACKET_COMMANDS.map(({ path }) => path)).toContain("packet from-codehands");
});
