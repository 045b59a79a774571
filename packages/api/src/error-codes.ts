/** The one place where faults become tRPC codes and the sentences that a caller reads. */
import type { EndReason, RefusalCode } from "@codehands/contracts";
import { TRPCError } from "@trpc/server";
import * as z from "zod";

type TrpcCode = TRPCError["code"];

/** Faults that are not bugs. Every other thrown thing is one, and becomes INTERNAL_SERVER_ERROR. */
const FAULT_CODES: Readonly<Record<RefusalCode, TrpcCode> & Partial<Record<EndReason | "git_failed", TrpcCode>>> = {
  illegal_move: "CONFLICT",
  stale_tree: "CONFLICT",
  superseded: "CONFLICT",
  nothing_to_approve: "CONFLICT",
  nested_repo: "CONFLICT",
  large_file: "CONFLICT",
  secret_in_change: "CONFLICT",
  tree_shrunk: "CONFLICT",
  branch_blocked: "CONFLICT",
  branch_moved: "CONFLICT",
  repo_missing: "NOT_FOUND",
  not_found: "NOT_FOUND",
  expired: "CONFLICT",
  revoked: "UNAUTHORIZED",
  already_running: "CONFLICT",
  cannot_resume: "CONFLICT",
  agent_may_not: "FORBIDDEN",
  trash_gone: "NOT_FOUND",
  filtered_path: "CONFLICT",
  still_changing: "CONFLICT",
  not_allowed: "FORBIDDEN",
  stale_command: "CONFLICT",
  stale_history: "CONFLICT",
  worktree_missing: "NOT_FOUND",
  not_a_repo: "BAD_REQUEST",
  unsupported_agent: "BAD_REQUEST",
  unsupported_repo: "BAD_REQUEST",
  disk_full: "SERVICE_UNAVAILABLE",
  git_failed: "SERVICE_UNAVAILABLE",
};

const codeOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;

const trpcCodeOf = (fault: string): TrpcCode | undefined =>
  Object.hasOwn(FAULT_CODES, fault) ? FAULT_CODES[fault as keyof typeof FAULT_CODES] : undefined;

/** The closed code of a known fault; null for a bug. */
export function faultOf(cause: unknown): string | null {
  const code = codeOf(cause);
  return code !== null && trpcCodeOf(code) !== undefined ? code : null;
}

/** Turns what a port threw into a tRPC error; a tRPC error of ours stays as it is. */
export function toTrpcError(thrown: unknown): TRPCError {
  // tRPC has wrapped what the port threw.
  const cause = thrown instanceof TRPCError && thrown.code === "INTERNAL_SERVER_ERROR" ? thrown.cause : thrown;
  if (cause instanceof TRPCError) return cause;
  const code = trpcCodeOf(codeOf(cause) ?? "");
  if (code !== undefined && cause instanceof Error) return new TRPCError({ code, message: cause.message, cause });
  return thrown instanceof TRPCError ? thrown : new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown });
}

/** What was wrong with an input, as one sentence that names the fields. At most three are named. */
export function describeIssues(error: z.core.$ZodError): string {
  const named = error.issues.slice(0, 3).map((issue) => {
    const field = issue.path.map(String).join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  });
  const more = error.issues.length - named.length;
  return `The request is not valid. ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** The sentence for the caller. A bug says nothing of the inside: that stands in the log. */
export function describeError(error: TRPCError, path: string | undefined): string {
  if (error.cause instanceof z.core.$ZodError && error.code === "BAD_REQUEST") return describeIssues(error.cause);
  if (error.code !== "INTERNAL_SERVER_ERROR") return error.message;
  return `A fault of ours stopped ${path ?? "this call"}. Its details are in the log.`;
}
