import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homePaths } from "@codehands/contracts";
import { createAgents } from "../agents/agents-port.ts";
import { createAskProgram } from "../agents/ask-program.ts";
import { openDatabase } from "../database/open-database.ts";
import { createPersonGit } from "../repos/person-git.ts";
import { createRepos } from "../repos/repos-port.ts";
import type { ConfigFile } from "./config-schema.ts";
import { openConfigStore } from "./config-store.ts";
import { decideSetting } from "./decide-setting.ts";
import { createResolveStart } from "./resolve-start.ts";
import { createSettings } from "./settings-port.ts";

/** A home with a real database, its settings, repositories and agents, and a folder for real git repositories. */
export function openSettingsRoom(options: { agentCommands?: Record<string, string[]>; path?: string } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "codehands-settings-")));
  const paths = homePaths(join(folder, "home"));
  mkdirSync(paths.home, { mode: 0o700 });
  mkdirSync(join(folder, "bin"));
  const store = openDatabase(paths.database);
  const environment = { PATH: options.path ?? `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder };
  const git = createPersonGit({ ...environment, PATH: process.env.PATH ?? "" });
  const config = openConfigStore(paths.config, {});
  const repoKey = async (path: string) => {
    const origin = await git(path, ["config", "--get", "remote.origin.url"]);
    const name = origin.exitCode === 0 ? origin.stdout.trim() : path;
    return createHash("sha1").update(name).digest("hex").slice(0, 12);
  };
  const agentCommands = options.agentCommands ?? {};
  const deps = {
    store,
    git,
    repoKey,
    agentCommands,
    worktrees: paths.worktrees,
    config,
    clock: () => "2026-11-30T18:00:00.000Z",
  };
  const sources = () => ({
    ...deps,
    file: config.current(),
    accountPreferences: {},
    repoPreferences: {},
    repository: null,
    trusted: false,
  });
  const agents = createAgents({
    store,
    deviceId: "device",
    version: "0.1.0",
    environment,
    ask: createAskProgram(environment, 3_000),
    commandOf: (agent) =>
      agent === "air" ? null : (decideSetting(`agents.${agent}.command`, sources()).value as string[] | null),
    configuredAgent: async () => decideSetting("agent", sources()).value as "sample" | null,
  });
  return {
    folder,
    paths,
    store,
    git,
    agents,
    settings: createSettings(deps, config),
    repos: createRepos({ ...deps, sampleDirectory: paths.sample }),
    resolveStart: createResolveStart({ ...deps, agents, memory: paths.memory }),
    writeConfig: (file: ConfigFile | string) =>
      writeFileSync(paths.config, typeof file === "string" ? file : JSON.stringify(file)),
    /** Puts a program on the PATH of the room. */
    writeProgram: (name: string, script: string) =>
      writeFileSync(join(folder, "bin", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    repo: (name: string, files: Record<string, string> = {}) => makeRepo(join(folder, name), files),
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A repository on branch main with one commit of these files. */
export function makeRepo(path: string, files: Record<string, string>) {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-C", path, "-c", "user.name=T", "-c", "user.email=t@localhost", ...args], {
      encoding: "utf8",
    }).trim();
  mkdirSync(path, { recursive: true });
  git("init", "-q", "-b", "main");
  const commit = (change: Record<string, string>): string => {
    for (const [name, text] of Object.entries(change)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", "change");
    return git("rev-parse", "HEAD");
  };
  commit(files);
  return { path, git, commit };
}
