import type { ConfigEntry, LocalPorts, RepoTrust, RepoView } from "@codehands/api";

export const REPO: RepoView = {
  key: "0123456789ab",
  name: "shop",
  remote: null,
  path: "/home/me/shop",
  defaultBranch: "main",
  trusted: false,
  sessions: 3,
  lastUsedAt: "2026-01-02T03:00:00.000Z",
};

type OwnKits = "sessions" | "account" | "pair" | "devices" | "sync";

/** All ports but the sessions' and the account's, in memory: settings and trust are kept, the rest is small and fixed. */
export function smallPorts(): Omit<LocalPorts, OwnKits> {
  const settings = new Map<string, ConfigEntry>([
    ["budgetUsd", { key: "budgetUsd", value: 0.5, origin: "default" }],
    ["testCommands", { key: "testCommands", value: [], origin: "default" }],
    ["agent", { key: "agent", value: null, origin: "default" }],
    ["cloud.url", { key: "cloud.url", value: null, origin: "default" }],
  ]);
  const defaults = new Map(settings);
  const trust: RepoTrust = {
    key: REPO.key,
    hash: "h1",
    trusted: false,
    file: ".codehands.json",
    settings: { testCommands: ["pnpm test"] },
  };
  return {
    repos: {
      list: async () => [{ ...REPO, trusted: trust.trusted }],
      trustState: async () => trust,
      trust: async (_path, hash) => {
        const ok = hash === trust.hash;
        if (ok) trust.trusted = true;
        return { ok, state: trust };
      },
      untrust: async () => {
        trust.trusted = false;
        return trust;
      },
      sample: async () => ({ path: "/home/me/sample", commit: "c0ffee", state: "made" }),
      relocate: async (from, to) =>
        from === "/home/me/shop"
          ? { ok: true, repo: { ...REPO, path: to } }
          : { ok: false, reason: `No repository is known at ${from}.` },
    },
    health: {
      health: async () => ({
        ok: true,
        pid: process.pid,
        version: "0.1.0",
        protocol: 1,
        bootId: "b1",
        homeId: "h1",
        startedAt: "2026-01-02T03:00:00.000Z",
        running: 1,
        queued: 0,
        waiting: 1,
      }),
      doctor: async ({ fix }) => ({
        ok: fix,
        checks: [
          { id: "git", title: "git", status: "ok", detail: "2.39.5", fix: null },
          fix
            ? { id: "old", title: "old worktrees", status: "ok", detail: "none", fix: null }
            : { id: "old", title: "old worktrees", status: "warn", detail: "7", fix: "codehands clean --stale 14d" },
        ],
      }),
      shutdown: async () => undefined,
    },
    settings: {
      list: async () => [...settings.values()],
      get: async (key) => settings.get(key) ?? null,
      set: async (key, value) => {
        if (!settings.has(key)) return { ok: false, reason: `There is no setting '${key}'.` };
        const entry: ConfigEntry = { key, value, origin: "file" };
        settings.set(key, entry);
        return { ok: true, entry };
      },
      unset: async (key) => {
        const before = defaults.get(key);
        if (before === undefined) return { ok: false, reason: `There is no setting '${key}'.` };
        settings.set(key, before);
        return { ok: true };
      },
    },
    usage: {
      report: async ({ by }) => ({
        by,
        rows: [{ key: "2026-01-02", sessions: 2, runs: 3, costUsd: 1.25, inputTokens: 12_345, outputTokens: 678 }],
        total: { sessions: 2, runs: 3, costUsd: 1.25 },
      }),
    },
    agents: { list: async () => [], preferred: async () => "sample" },
  };
}
