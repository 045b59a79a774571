import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApproveOptions, CrashPoint } from "@codehands/contracts";
import { RunnerError } from "../runner-error.ts";
import { displayPath } from "./byte-paths.ts";
import { findFiltered } from "./find-filtered.ts";
import { DURABLE_WORDS, indexOf, privatePlace } from "./git-environment.ts";
import { landCommit } from "./land-commit.ts";
import { listChanges } from "./list-changes.ts";
import { branchTip, copyObjects, isKept, pin, pinAgentCommits } from "./pin-commits.ts";
import { pinnedContent } from "./pinned-content.ts";
import { readPatch } from "./read-patch.ts";
import { readTreeBytes, sideIndexOf, type TreeReading, toReading, treeOf } from "./read-tree.ts";
import { nothingToApprove, refuseApproval } from "./refuse-approval.ts";
import { exists } from "./registration.ts";
import { gitLine, runGit } from "./run-git.ts";
import { serialize } from "./serialize.ts";
import { takeIn } from "./take-in.ts";
import type { Workspace } from "./workspace.ts";
import { readRecord, recordFolder } from "./workspace-record.ts";
import { writeDurable } from "./write-durable.ts";

export interface ApproveRequest {
  message: string;
  options: ApproveOptions;
  /** ISO time of the approval: author and committer date, so that a retry makes the same commit. */
  at: string;
}

export interface Approved {
  branch: string;
  commit: string;
  treeId: string;
}

/** An approval whose commit was made; stored before the branch moves. */
interface StoredApproval extends Approved {
  /** The tree that was reviewed; differs from `treeId` when more was taken in. */
  reviewed: string;
  message: string;
  at: string;
}

/**
 * Lands the workspace's content as exactly one commit on top of the base, whatever the agent did to
 * its branch; the agent's own commits stay pinned in the private git folder. From the pinned
 * snapshot when the worktree is gone. Leaves the worktree where it is. Throws a refusal code when
 * the content may not be landed; repeated after a crash it ends with the same commit.
 */
export async function approveWorkspace(
  ws: Workspace,
  o: ApproveRequest,
  crashPoint: CrashPoint = () => {},
): Promise<Approved> {
  return serialize(ws.privateGitDir, async () => {
    if (!(await exists(join(ws.commonDir, "objects")))) {
      throw new RunnerError(
        "repo_missing",
        `The repository ${ws.repoPath} is gone or was moved. The worktree and its content are kept.`,
      );
    }
    const stored = await readApproval(ws);
    if (stored !== null && (await isSameApproval(ws, stored, o))) return land(ws, stored, crashPoint);
    const content = await chooseTree(ws, o.options);
    await crashPoint("approve.after-write-tree");
    const commit = await makeCommit(ws, content.treeId, o);
    await crashPoint("approve.after-commit-tree");
    await copyObjects(ws, [commit]);
    await pin(ws, `refs/codehands/approved/${ws.sessionId}`, commit);
    await crashPoint("approve.after-pin");
    const { message, at } = o;
    const approval: StoredApproval = { branch: ws.branch, commit, ...content, message, at };
    await writeDurable(approvalFile(ws), JSON.stringify(approval));
    await crashPoint("approve.after-record");
    return land(ws, approval, crashPoint);
  });
}

/** Whether an approval that was begun is this one again: it has landed already, or it was asked for in the same words. */
async function isSameApproval(ws: Workspace, stored: StoredApproval, o: ApproveRequest): Promise<boolean> {
  if (o.options.treeId !== undefined && o.options.treeId !== stored.reviewed) return false;
  return (stored.at === o.at && stored.message === o.message) || (await branchTip(ws)) === stored.commit;
}

async function land(ws: Workspace, approval: StoredApproval, crashPoint: CrashPoint): Promise<Approved> {
  const { branch, commit, treeId } = approval;
  await serialize(ws.commonDir, async () => {
    const seen = await branchTip(ws);
    if (seen === commit) return;
    await pinAgentCommits(ws);
    if (seen !== null && !(await isKept(ws, seen))) {
      throw new RunnerError(
        "branch_moved",
        `The branch ${ws.branch} is at ${seen}, which could not be read whole, so it was not replaced. Nothing was landed.`,
      );
    }
    await crashPoint("approve.after-agent-commits");
    await landCommit(ws, { commit, seen }, crashPoint);
  });
  await crashPoint("approve.after-update-ref");
  return { branch, commit, treeId };
}

/** The tree to land. Throws the refusal when it may not be landed. */
async function chooseTree(ws: Workspace, options: ApproveOptions): Promise<{ treeId: string; reviewed: string }> {
  const record = await readRecord(ws);
  const baseTree = await treeOf(ws, ws.baseCommit);
  const { reading, takeMore } = await contentNow(ws, record.basePaths);
  refuse(refuseApproval({ reading: { ...reading, filtered: [] }, secrets: [], options }));

  const treeId = takeMore === null ? reading.treeId : await takeMore(options.allowLarge === true);
  if (treeId === baseTree) refuse(nothingToApprove());
  const index = takeMore === null ? indexOf(ws) : sideIndexOf(ws, "approve");
  const changes = await listChanges(ws, treeId);
  const [filtered, patch] = await Promise.all([
    takeMore === null ? reading.filtered : findFiltered(ws, { changes, index }).then((paths) => paths.map(displayPath)),
    readPatch(ws, { treeId, changes, cap: 0 }),
  ]);
  const whole = { ...reading, treeId, filtered, nested: [], large: [] };
  refuse(refuseApproval({ reading: whole, secrets: patch.secrets, options: { ...options, treeId } }));
  return { treeId, reviewed: reading.treeId };
}

function refuse(refusal: ReturnType<typeof refuseApproval>): void {
  if (refusal !== null) throw new RunnerError(refusal.code, refusal.message);
}

interface Content {
  reading: TreeReading;
  /** Builds the tree with nested and large files in it; null when there are none. */
  takeMore: ((allowLarge: boolean) => Promise<string>) | null;
}

/** What the worktree holds, or what is pinned of it when it is gone. */
async function contentNow(ws: Workspace, basePaths: number): Promise<Content> {
  try {
    const tree = await readTreeBytes(ws);
    const more = { nested: tree.nested, large: tree.large.map(({ path }) => path) };
    const hasMore = more.nested.length + more.large.length > 0;
    return { reading: toReading(tree), takeMore: hasMore ? (allowLarge) => takeIn(ws, { ...more, allowLarge }) : null };
  } catch (error) {
    if (!(error instanceof RunnerError) || error.code !== "worktree_missing") throw error;
    const commit = await pinnedContent(ws);
    if (commit === null) throw error;
    return { reading: await pinnedReading(ws, commit, basePaths), takeMore: null };
  }
}

async function pinnedReading(ws: Workspace, commit: string, basePaths: number): Promise<TreeReading> {
  const treeId = await treeOf(ws, commit);
  const index = sideIndexOf(ws, "pinned");
  await runGit({ place: { ...privatePlace(ws), index }, args: ["read-tree", treeId] });
  const changes = await listChanges(ws, treeId);
  const gone = changes.filter((change) => change.status === "D").length;
  const filtered = await findFiltered(ws, { changes, index });
  return { treeId, nested: [], special: [], large: [], filtered, shrunk: { base: basePaths, gone } };
}

async function makeCommit(ws: Workspace, treeId: string, o: ApproveRequest): Promise<string> {
  const { identity } = await readRecord(ws);
  const seconds = Math.floor(Date.parse(o.at) / 1000);
  if (!Number.isFinite(seconds)) throw new RunnerError("internal", `"${o.at}" is not a time.`);
  const date = `@${seconds} +0000`;
  return gitLine({
    place: privatePlace(ws),
    args: [...DURABLE_WORDS, "commit-tree", treeId, "-p", ws.baseCommit, "-F", "-"],
    // git refuses NUL in a message.
    input: `${o.message.replaceAll("\0", "").trimEnd()}\n`,
    env: {
      GIT_AUTHOR_NAME: identity.name,
      GIT_AUTHOR_EMAIL: identity.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: identity.name,
      GIT_COMMITTER_EMAIL: identity.email,
      GIT_COMMITTER_DATE: date,
    },
  });
}

function approvalFile(ws: Workspace): string {
  return join(recordFolder(ws.privateGitDir), `approval-${ws.sessionId}.json`);
}

async function readApproval(ws: Workspace): Promise<StoredApproval | null> {
  try {
    return JSON.parse(await readFile(approvalFile(ws), "utf8")) as StoredApproval;
  } catch {
    return null;
  }
}
