import type { StartInput } from "@codehands/api";
import type { AgentKind } from "@codehands/contracts";
import type { Agents } from "../agents/agents-port.ts";
import { NO_AGENT } from "../agents/agents-port.ts";
import type { PersonGit } from "../repos/person-git.ts";
import type { ResolvedStart, ResolveStart } from "../supervisor/supervisor-deps.ts";
import type { ConfigStore } from "./config-store.ts";
import { decideSetting } from "./decide-setting.ts";
import { detectTestCommands } from "./detect-test-commands.ts";
import { planStart } from "./plan-start.ts";
import { readBaseFile } from "./read-base-file.ts";
import { readNotes } from "./read-notes.ts";
import { type ReadSources, readSources, type SourcesDeps } from "./read-sources.ts";

export interface ResolveStartDeps extends SourcesDeps {
  config: ConfigStore;
  agents: Pick<Agents, "findAgent">;
  /** The folder of all notes. */
  memory: string;
}

type Refusal = Exclude<Awaited<ReturnType<ResolveStart>>, ResolvedStart>;

/** Fills in what a start left open, or says why nothing can be started. Changes nothing. */
export function createResolveStart(deps: ResolveStartDeps): ResolveStart {
  return async (input) => {
    const file = await deps.config.read();
    // A broken file may have held a limit that the person counts on.
    if (!file.ok) {
      return refuse(
        "not_allowed",
        `config.json is not valid: ${file.problems.join("; ")}. Nothing was started.`,
        "doctor",
      );
    }
    const read = await readSources(deps, { file: file.config, repoPath: input.repoPath, base: input.base });
    const { identity, reading, sources } = read;
    if (identity === null || !identity.ok) {
      return refuse("repo_missing", identity?.reason ?? `There is no repository at ${input.repoPath}.`, null);
    }
    if (reading === null) return refuse("not_found", whyNoBase(read), null);
    const agent = await pickAgent(deps, input, sources);
    if (!agent.ok) return agent;
    const plan = planStart(input, agent.agent, sources);
    return {
      ok: true,
      repo: identity.repo,
      clone: identity.clone,
      agent: agent.agent,
      model: plan.model,
      phases: plan.phases,
      budgetUsd: plan.budgetUsd,
      testCommands: plan.testCommands ?? (await detectAt(deps.git, identity.clone.path, reading.commit)),
      base: reading.base,
      notes: await readNotes(deps.memory, identity.repo.repoKey),
      trustRepoSettings: sources.trusted,
    };
  };
}

async function pickAgent(
  deps: ResolveStartDeps,
  input: StartInput,
  sources: ReadSources["sources"],
): Promise<{ ok: true; agent: AgentKind } | Refusal> {
  const named = input.agent ?? (decideSetting("agent", sources).value as AgentKind | null);
  const agent = named ?? "claude-code";
  const found = await deps.agents.findAgent(agent);
  if (found.ok) return { ok: true, agent };
  return refuse("not_found", `${named === null ? NO_AGENT : found.reason} Nothing was started.`, "doctor");
}

async function detectAt(git: PersonGit, folder: string, commit: string): Promise<string[]> {
  const [names, packageJson] = await Promise.all([
    git(folder, ["ls-tree", "-z", "--full-tree", "--name-only", commit]),
    readBaseFile(git, { folder, commit, name: "package.json" }),
  ]);
  return detectTestCommands({ names: names.stdout.split("\0"), packageJson });
}

function whyNoBase({ identity, namedBase }: ReadSources): string {
  const path = identity?.ok === true ? identity.clone.path : "the repository";
  return namedBase === undefined
    ? `${path} has no commit yet. Commit something first. Nothing was started.`
    : `${path} has no commit called "${namedBase}". Nothing was started.`;
}

function refuse(code: Refusal["code"], reason: string, next: string | null): Refusal {
  return { ok: false, code, reason, next };
}
