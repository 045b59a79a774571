import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffWorkspace } from "./diff.ts";
import { prepareWorkspace } from "./prepare-workspace.ts";
import { trashWorkspace } from "./reject.ts";
import { restoreWorkspace } from "./undo.ts";

/** A program: root may read everything, so this part is run by another user. Prints what it saw as one line of JSON. */
const root = process.argv[2] ?? "";
const repo = join(root, "repo");
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: repo });
const put = (folder: string, name: string, text: string) => {
  mkdirSync(join(folder, name, ".."), { recursive: true });
  writeFileSync(join(folder, name), text);
};
for (const name of ["a.txt", "closed/tracked.txt", "listed/tracked.txt"]) put(repo, name, "1\n");
git("init", "-q");
git("add", "-A");
git("commit", "-qm", "first");
const options = (worktreeRoot: string) => ({
  sessionId: randomUUID(),
  repoPath: repo,
  prompt: "x",
  worktreeRoot,
  privateGitRoot: join(root, "git"),
  homeId: "h",
});
mkdirSync(join(root, "read-only"), { mode: 0o555 });
const refused = await prepareWorkspace(options(join(root, "read-only/worktrees")));
const prepared = await prepareWorkspace(options(join(root, "worktrees")));
if (!prepared.ok) throw new Error(prepared.detail);
const ws = prepared.workspace;
put(ws.worktree, "a.txt", "2\n");
put(ws.worktree, "locked.txt", "l\n");
put(ws.worktree, "new/x.txt", "x\n");
chmodSync(join(ws.worktree, "locked.txt"), 0);
for (const [name, mode] of [
  ["new", 0],
  ["closed", 0],
  ["listed", 0o444],
] as const)
  chmodSync(join(ws.worktree, name), mode);
const { files, special } = await diffWorkspace(ws);
const trash = { trashRoot: join(root, "trash"), keepBranch: false };
chmodSync(join(ws.worktree, ".."), 0o555);
const stuck = await trashWorkspace(ws, trash);
chmodSync(join(ws.worktree, ".."), 0o755);
const moved = await trashWorkspace(ws, trash);
const { restored } = await restoreWorkspace(ws, trash);
for (const name of ["new", "closed", "listed"]) chmodSync(join(ws.worktree, name), 0o755);
const seen = {
  refused: refused.ok ? "" : refused.reason,
  files: files.map(({ path }) => path),
  special: special?.sort(),
  stuck: { folder: stuck.folder, isLeftover: stuck.leftover === ws.worktree },
  moved: { hasFolder: moved.folder !== null, leftover: moved.leftover },
  restored,
};
process.stdout.write(`${JSON.stringify(seen)}\n`);
