import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gitLine, runGit, tryGit } from "../git/run-git.ts";
import { RunnerError } from "../runner-error.ts";
import { SAMPLE_FILES } from "./sample-files.ts";

/** The first commit of every sample repository: content, author and dates are fixed, so its name is. */
export const SAMPLE_ROOT = "49f8073203fc2153902a54566f8458cc7b8f0ca7";

const PERSON = {
  GIT_AUTHOR_NAME: "Code Hands",
  GIT_AUTHOR_EMAIL: "codehands@localhost",
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Code Hands",
  GIT_COMMITTER_EMAIL: "codehands@localhost",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

export interface SampleRepo {
  directory: string;
  /** The commit that is checked out. */
  commit: string;
  /** `kept`: it was as it should be; `reset`: the bug is back, by a commit on top of what was there. */
  state: "made" | "kept" | "reset";
}

/**
 * Makes the sample repository, or brings its bug back when it is there already. Nothing in it is lost: changes that
 * were not committed are committed first. Refuses (`not_allowed`) a folder that holds anything else.
 */
export async function makeSampleRepo(directory: string): Promise<SampleRepo> {
  const root = resolve(directory);
  const git = gitIn(root);
  if (existsSync(root) && (!lstatSync(root).isDirectory() || readdirSync(root).length > 0)) {
    if (!(await isSampleRepo(root))) {
      throw new RunnerError(
        "not_allowed",
        `${root} holds something else, so the sample repository is not made there. Nothing was changed; name an empty folder.`,
      );
    }
    return reset(root);
  }
  for (const [path, content] of Object.entries(SAMPLE_FILES)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  await git("init", "-q", "--object-format=sha1", "--initial-branch=main");
  await git("add", "--", ...Object.keys(SAMPLE_FILES));
  await git("commit", "-q", "-m", "Start");
  return { directory: root, commit: await headOf(root), state: "made" };
}

/** Whether a folder is the root of a sample repository. */
export async function isSampleRepo(root: string): Promise<boolean> {
  if (!existsSync(join(root, ".git")) || !lstatSync(join(root, ".git")).isDirectory()) return false;
  return (await tryGit({ place: placeOf(root), args: ["cat-file", "-e", `${SAMPLE_ROOT}^{commit}`] })).exitCode === 0;
}

async function reset(root: string): Promise<SampleRepo> {
  const git = gitIn(root);
  if ((await tryGit({ place: placeOf(root), args: ["symbolic-ref", "-q", "HEAD"] })).exitCode !== 0) {
    throw new RunnerError(
      "not_allowed",
      `${root} is the sample repository, but no branch is checked out in it. Nothing was changed; check out a branch: git -C ${root} checkout main`,
    );
  }
  await git("add", "-A");
  const changed =
    (await tryGit({ place: placeOf(root), args: ["diff", "--cached", "--quiet", "HEAD", "--"] })).exitCode !== 0;
  if (changed) await git("commit", "-q", "-m", "What was here before the sample was reset");
  const treeOf = (commit: string) => gitLine({ place: placeOf(root), args: ["rev-parse", `${commit}^{tree}`] });
  if ((await treeOf("HEAD")) === (await treeOf(SAMPLE_ROOT)))
    return { directory: root, commit: await headOf(root), state: "kept" };
  await git("read-tree", "-m", "-u", "HEAD", SAMPLE_ROOT);
  await git("commit", "-q", "-m", "Start again: the bug is back");
  return { directory: root, commit: await headOf(root), state: "reset" };
}

const placeOf = (root: string) => ({ gitDir: join(root, ".git"), workTree: root, emptyHome: "/nonexistent" });

const headOf = (root: string): Promise<string> => gitLine({ place: placeOf(root), args: ["rev-parse", "HEAD"] });

function gitIn(root: string): (...args: string[]) => Promise<void> {
  return async (...args) => {
    await runGit({ place: placeOf(root), args, env: PERSON });
  };
}
