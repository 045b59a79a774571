import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, git, makeRepo, prepare, type World, write } from "./workspace.test-kit.ts";
import type { Workspace } from "./workspace.ts";

export interface Scenario {
  /** What the agent did to its `.git` file. */
  pointer: "kept" | "folder" | "elsewhere" | "commondir";
  hooks: "absolute" | ".husky";
}

export interface Planted {
  world: World;
  ws: Workspace;
  /** The names of the programs that have run, sorted, each once. */
  ran: () => string[];
  forget: () => void;
}

const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "prepare-commit-msg",
  "push-to-checkout",
  "reference-transaction",
  "sendemail-validate",
];

/** A workspace in whose tree and repository an agent has planted a program at every place git might run one. */
export async function plant(scenario: Scenario): Promise<Planted> {
  const world = await makeRepo({
    ...FILES,
    ".gitattributes": "*.flt filter=evil\n*.inc filter=included\n*.txt diff=evil\n",
    "x.flt": "same size\n",
    "y.inc": "same size\n",
    ".husky/pre-commit": "#!/bin/sh\nexit 0\n",
  });
  const log = join(world.root, "ran.log");
  const evil = (name: string): string => {
    const file = join(world.root, "evil", name);
    // A filter hands its input on; anything else ends, or git and it would wait for each other.
    const rest = /filter|include|textconv/.test(name) ? 'cat "$@"' : `exit ${/^(hook|diff)/.test(name) ? 0 : 1}`;
    write(join(world.root, "evil"), { [name]: `#!/bin/sh\necho ${name} >> ${log}\n${rest}\n` });
    execFileSync("chmod", ["755", file]);
    return file;
  };
  const ws = await prepare(world);
  const config = (key: string, value: string) => git(ws.worktree, "config", key, value);
  for (const hook of HOOKS)
    writeFileSync(join(world.repo, ".git/hooks", hook), readFileSync(evil(`hook-${hook}`)), { mode: 0o755 });
  const hooksFolder = scenario.hooks === "absolute" ? join(world.root, "evil/hooks") : join(ws.worktree, ".husky");
  mkdirSync(hooksFolder, { recursive: true });
  for (const hook of HOOKS)
    writeFileSync(join(hooksFolder, hook), readFileSync(evil(`hooks-path-${hook}`)), { mode: 0o755 });

  write(ws.worktree, { "a.txt": "changed\n", "new.txt": "new\n", "src/b.ts": "export const b = 2;\n" });
  write(ws.worktree, { "included.config": `[filter "included"]\n\tclean = ${evil("include-path")}\n` });
  plantNested(world, ws, evil);
  for (const name of ["x.flt", "y.inc", "nested/x.dat"]) utimesSync(join(ws.worktree, name), 1, 1);

  const settings: [string, string][] = [
    ["core.fsmonitor", evil("fsmonitor")],
    ["core.hooksPath", scenario.hooks === "absolute" ? hooksFolder : ".husky"],
    ["diff.external", evil("diff-external")],
    ["diff.evil.textconv", evil("textconv")],
    ["diff.evil.command", evil("diff-command")],
    ["filter.evil.clean", evil("filter-clean")],
    ["filter.evil.smudge", evil("filter-smudge")],
    ["filter.evil.required", "true"],
    ["commit.gpgSign", "true"],
    ["gpg.program", evil("gpg")],
    ["core.sshCommand", evil("ssh")],
    ["core.pager", evil("pager")],
    ["core.editor", evil("editor")],
    ["core.askPass", evil("askpass")],
    ["credential.helper", evil("credential")],
    ["core.alternateRefsCommand", evil("alternate-refs")],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", `ext::${evil("remote-ext")}`],
    ["protocol.ext.allow", "always"],
    ["protocol.allow", "always"],
    ["include.path", join(ws.worktree, "included.config")],
  ];
  for (const [key, value] of settings) config(key, value);
  write(join(world.repo, ".git"), {
    "info/attributes": "*.txt filter=evil\n",
    "config.worktree": `[core]\n\tfsmonitor = ${evil("config-worktree")}\n`,
  });
  plantPointer(scenario, { world, ws, evil });
  const forget = () => rmSync(log, { force: true });
  forget();
  return {
    world,
    ws,
    forget,
    ran: () => (existsSync(log) ? [...new Set(readFileSync(log, "utf8").trim().split("\n"))].sort() : []),
  };
}

/** A nested repository with a filter of its own, and a bare repository in a subfolder. */
function plantNested(_world: World, ws: Workspace, evil: (name: string) => string): void {
  const nested = join(ws.worktree, "nested");
  git(ws.worktree, "init", "-q", "nested");
  write(nested, { "x.dat": "same size\n", ".git/info/attributes": "*.dat filter=nested\n" });
  git(nested, "add", "-A");
  git(nested, "commit", "-qm", "inner");
  git(nested, "config", "filter.nested.clean", evil("nested-filter"));
  git(nested, "config", "core.fsmonitor", evil("nested-fsmonitor"));
  git(ws.worktree, "init", "-q", "--bare", "embedded");
  const bare = join(ws.worktree, "embedded");
  for (const [key, value] of [
    ["core.bare", "false"],
    ["core.worktree", bare],
    ["core.fsmonitor", evil("embedded-bare")],
  ] as const) {
    git(bare, "config", key, value);
  }
}

function plantPointer(scenario: Scenario, o: { world: World; ws: Workspace; evil: (name: string) => string }): void {
  const pointer = join(o.ws.worktree, ".git");
  const fsmonitor = o.evil("replaced-git");
  if (scenario.pointer === "kept") return;
  const own = join(o.world.root, "evil/own");
  git(o.world.root, "init", "-q", own);
  git(own, "config", "core.fsmonitor", fsmonitor);
  if (scenario.pointer === "commondir") {
    const admin = readFileSync(pointer, "utf8").trim().slice("gitdir: ".length);
    writeFileSync(join(admin, "commondir"), `${own}/.git\n`);
    return;
  }
  rmSync(pointer);
  if (scenario.pointer === "folder") renameSync(join(own, ".git"), pointer);
  else {
    renameSync(join(own, ".git"), join(o.ws.worktree, "evil-git"));
    writeFileSync(pointer, "gitdir: evil-git\n");
  }
}

/** What a person's plain git would run in that tree: proof that the plants are live. */
export function provoke({ ws, world }: Planted, scenario: Scenario): void {
  const tries: [string, string[]][] = [
    [ws.worktree, ["status"]],
    [ws.worktree, ["diff"]],
    [ws.worktree, ["diff", "--no-ext-diff"]],
    [ws.worktree, ["-c", "core.fsmonitor=false", "add", "-A"]],
    [ws.worktree, ["diff", "HEAD"]],
    [ws.worktree, ["add", "-A"]],
    [ws.worktree, ["commit", "-qm", "x"]],
    [ws.worktree, ["-c", "commit.gpgSign=false", "commit", "-qm", "x"]],
    [join(ws.worktree, "embedded"), ["status"]],
    [ws.worktree, ["cat-file", "-e", "1234567890123456789012345678901234567890"]],
    [ws.worktree, ["fetch", "ssh://nowhere.invalid/x"]],
    [
      world.repo,
      [
        "-c",
        "core.hooksPath=.git/hooks",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "commit.gpgSign=false",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "x",
      ],
    ],
    [
      world.repo,
      ["-c", "core.fsmonitor=false", "worktree", "add", "--detach", join(world.root, `plain-${scenario.pointer}`)],
    ],
  ];
  for (const [cwd, words] of tries) {
    try {
      git(cwd, ...words);
    } catch {
      // Many of them fail because the planted program fails; that it ran is what counts.
    }
  }
}
