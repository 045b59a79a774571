import type { ApproveOptions, RefusalCode } from "@codehands/contracts";
import type { TreeReading } from "./read-tree.ts";
import type { SecretPlace } from "./scan-added.ts";

export interface ApprovalFacts {
  reading: TreeReading;
  secrets: readonly SecretPlace[];
  options: ApproveOptions;
}

/** Why a tree may not be approved as it is, or null. Nothing is changed by a refusal. */
export function refuseApproval(facts: ApprovalFacts): { code: RefusalCode; message: string } | null {
  const { reading, options } = facts;
  if (options.treeId !== undefined && options.treeId !== reading.treeId) {
    return refusal("stale_tree", "The files have changed since this change was reviewed. Look at the diff again.");
  }
  if (reading.nested.length > 0 && !options.absorbNested) {
    return refusal(
      "nested_repo",
      `There are git repositories inside the worktree whose files are not part of the change: ${named(reading.nested)}. Approve with their files taken in, or remove them.`,
    );
  }
  if (reading.large.length > 0 && !options.allowLarge) {
    const files = reading.large.map(({ path, bytes }) => `${path} (${Math.round(bytes / 1024 ** 2)} MB)`);
    return refusal(
      "large_file",
      `The change holds files over 50 MB: ${named(files)}. Allow large files, or remove them.`,
    );
  }
  if (reading.filtered.length > 0) {
    return refusal(
      "filtered_path",
      `These files pass through a git filter of the repository, which is not run here, so they would be committed in the wrong form: ${named(reading.filtered)}. Undo their changes, or commit them by hand.`,
    );
  }
  if (reading.shrunk.gone * 2 > reading.shrunk.base && !options.allowShrunk) {
    return refusal(
      "tree_shrunk",
      `More than half of the repository's files are gone in this change (${reading.shrunk.gone} of ${reading.shrunk.base}). Approve it again with the deletions confirmed if that is meant.`,
    );
  }
  if (facts.secrets.length > 0 && !options.allowSecrets) {
    const places = facts.secrets.map(({ path, line, rule }) => `${path}:${line} (${rule})`);
    return refusal(
      "secret_in_change",
      `The change seems to hold secrets: ${named(places)}. Remove them, or allow them.`,
    );
  }
  return null;
}

/** The refusal of a change that is none. */
export function nothingToApprove(): { code: RefusalCode; message: string } {
  return { code: "nothing_to_approve", message: "nothing to approve: the agent made no changes" };
}

function refusal(code: RefusalCode, message: string): { code: RefusalCode; message: string } {
  return { code, message: `${message} Nothing was changed.` };
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
