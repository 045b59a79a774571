import { readFileSync, statSync } from "node:fs";
import { CONFIG_KEYS } from "@codehands/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSettingsRoom } from "./settings-room.test-kit.ts";

let room: ReturnType<typeof openSettingsRoom>;
beforeEach(() => {
  room = openSettingsRoom({ agentCommands: { codex: ["/opt/codex"] } });
});
afterEach(() => room.close());

const file = () => JSON.parse(readFileSync(room.paths.config, "utf8")) as unknown;

describe("settings", () => {
  it("lists every key with its value and origin", async () => {
    const repo = room.repo("app", { ".codehands.json": '{"language":"fr"}' });
    room.writeConfig({ trash: { days: 3 } });
    const entries = await room.settings.list(repo.path);
    expect(entries.map((entry) => entry.key)).toEqual([...CONFIG_KEYS]);
    const entry = (key: string) => entries.find((one) => one.key === key);
    expect(entry("budgetUsd")).toMatchObject({ value: 0.5, origin: "default" });
    expect(entry("trash.days")).toMatchObject({ value: 3, origin: "file" });
    expect(entry("language")).toMatchObject({ value: "fr", origin: "repository" });
    expect(entry("agents.codex.command")).toMatchObject({ value: ["/opt/codex"], origin: "environment" });
    expect(entry("worktreeRoot")).toMatchObject({ value: room.paths.worktrees, origin: "default" });
    expect(await room.settings.get("nonsense", null)).toBeNull();
  });

  it("sets, reads back and takes back; the file is private and whole", async () => {
    expect(await room.settings.set("agents.claude-code.env", ["HTTPS_PROXY"])).toMatchObject({ ok: true });
    expect(await room.settings.set("budgetUsd", "2.5")).toEqual({
      ok: true,
      entry: { key: "budgetUsd", value: 2.5, origin: "file" },
    });
    expect(file()).toEqual({ agents: { "claude-code": { env: ["HTTPS_PROXY"] } }, budgetUsd: 2.5 });
    expect(statSync(room.paths.config).mode & 0o777).toBe(0o600);
    expect(await room.settings.unset("agents.claude-code.env")).toEqual({ ok: true });
    expect(file()).toEqual({ budgetUsd: 2.5 });
  });

  it("says that the environment still wins over what was set", async () => {
    const set = await room.settings.set("agents.codex.command", '["mine"]');
    expect(set).toMatchObject({ ok: true, entry: { value: ["/opt/codex"], origin: "environment" } });
    expect(file()).toEqual({ agents: { codex: { command: ["mine"] } } });
  });

  it.each([
    ["budget", 1, /no setting "budget".*budgetUsd/],
    ["__proto__", {}, /no setting/],
    ["agents.claude-code", {}, /no setting/],
    ["budgetUsd", 0, /budgetUsd must be more than 0/],
    ["budgetUsd", "many", /budgetUsd must be a number/],
    ["budgetUsd", null, /budgetUsd must be a number/],
    ["budgetUsd", undefined, /budgetUsd must be a number/],
    ["agent", "gpt", /agent must be one of claude-code, codex, sample/],
    ["port", 70_000, /port must be 65535 at most/],
    ["concurrency", 1.5, /concurrency must be a whole number/],
    ["testCommands", "npm test", /testCommands must be a list/],
    ["agents.codex.env", ["A B"], /must be the name of an environment variable/],
    ["base", "--upload-pack=x", /must not begin with a dash/],
    ["worktreeRoot", "relative", /must be an absolute path/],
  ])("refuses %s = %j and writes nothing", async (key, value, reason) => {
    expect(await room.settings.set(key, value)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
    expect(() => file()).toThrow(/ENOENT/);
  });

  it("keeps both of two changes at once, and what a person wrote by hand between them", async () => {
    await Promise.all([room.settings.set("concurrency", 2), room.settings.set("idleMinutes", 5)]);
    room.writeConfig({ ...(file() as object), language: "es" });
    await room.settings.set("wallMinutes", 60);
    expect(file()).toEqual({ concurrency: 2, idleMinutes: 5, language: "es", wallMinutes: 60 });
  });

  it("never writes over a file that it cannot read", async () => {
    room.writeConfig('{"concurrency": 2,');
    expect(await room.settings.set("port", 8000)).toEqual({
      ok: false,
      reason: expect.stringContaining("not valid JSON"),
    });
    expect(readFileSync(room.paths.config, "utf8")).toBe('{"concurrency": 2,');
  });
});
