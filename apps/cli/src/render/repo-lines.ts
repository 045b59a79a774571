import type { RepoView } from "@codehands/api";
import { showControls, stripToLine } from "../terminal/strip-controls.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";
import type { RepoTrust } from "../wire-types.ts";
import { tildePath } from "./paths.ts";
import { renderTable } from "./table.ts";
import { age } from "./times.ts";

/** The repositories of this device. */
export function renderRepos(repos: readonly RepoView[], o: { facts: TerminalFacts; nowMs: number }): string {
  const columns = [
    { title: "REPO" },
    { title: "PATH", grows: true },
    { title: "BRANCH" },
    { title: "SESSIONS" },
    { title: "SETTINGS" },
    { title: "USED" },
  ];
  const rows = repos.map((repo) => ({
    cells: [
      stripToLine(repo.name),
      repo.path === null ? "not on this device" : tildePath(repo.path, o.facts.homeFolder),
      stripToLine(repo.defaultBranch ?? "-"),
      String(repo.sessions),
      repo.trusted ? "trusted" : "not trusted",
      age(o.nowMs, repo.lastUsedAt),
    ],
  }));
  return `${renderTable(columns, rows, o.facts).join("\n")}\n`;
}

/** The settings a repository asks for, before a person trusts them. Hidden marks are spelled out. */
export function renderRepoSettings(state: RepoTrust): string {
  if (state.settings === null) return "This repository brings no settings file.\n";
  const lines = Object.entries(state.settings).map(
    ([key, value]) => `  ${showControls(`${key} = ${JSON.stringify(value)}`)}`,
  );
  return `${[`${stripToLine(state.file ?? ".codehands.json")} asks for:`, ...lines].join("\n")}\n`;
}
