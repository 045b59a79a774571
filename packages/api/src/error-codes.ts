/** The one place where faults become tRPC codes and the sentences that a caller reads. */
import type { EndReason, RefusalCode } from "@codehands/contracts";
import { TRPCError } from "@trpc/server";
import * as z from "zod";
import { type CloudCallCode, CloudCallError } from "./cloud-call-error.ts";

type TrpcCode = TRPCError["code"];

/** What a run ends with; some of it is thrown as well, by a call that cannot even begin. */
const END_CODES: Readonly<Record<Exclude<EndReason, RefusalCode>, TrpcCode>> = {
  cancelled: "CONFLICT",
  discarded: "CONFLICT",
  person: "CONFLICT",
  budget: "CONFLICT",
  rate_limited: "TOO_MANY_REQUESTS",
  usage_limit: "TOO_MANY_REQUESTS",
  auth_expired: "PRECONDITION_FAILED",
  subscription_inactive: "PRECONDITION_FAILED",
  down: "SERVICE_UNAVAILABLE",
  stalled: "CONFLICT",
  no_first_line: "CONFLICT",
  no_result: "CONFLICT",
  agent_error: "CONFLICT",
  wall_clock: "CONFLICT",
  output_limit: "CONFLICT",
  disk_full: "SERVICE_UNAVAILABLE",
  worktree_missing: "NOT_FOUND",
  not_a_repo: "BAD_REQUEST",
  spawn_failed: "SERVICE_UNAVAILABLE",
  exit_unknown: "CONFLICT",
  unsupported_agent: "BAD_REQUEST",
  unsupported_repo: "BAD_REQUEST",
  daemon_restart: "CONFLICT",
};

/** What a command is refused with. UNAUTHORIZED is for the token of this daemon alone: a new one would not help here. */
const REFUSED_CODES: Readonly<Record<RefusalCode, TrpcCode>> = {
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
  revoked: "FORBIDDEN",
  already_running: "CONFLICT",
  cannot_resume: "CONFLICT",
  agent_may_not: "FORBIDDEN",
  trash_gone: "NOT_FOUND",
  filtered_path: "CONFLICT",
  still_changing: "CONFLICT",
  not_allowed: "FORBIDDEN",
  stale_command: "CONFLICT",
  stale_history: "CONFLICT",
  in_doubt: "CONFLICT",
};

/** Faults of the parts below the ports, which a person can do something about, or has to wait for. */
const PART_CODES = {
  git_failed: "SERVICE_UNAVAILABLE",
  /** Neither refused nor done: see `answerCommand`. */
  command_failed: "CONFLICT",
  no_account: "PRECONDITION_FAILED",
  no_keys: "PRECONDITION_FAILED",
  unknown_device: "PRECONDITION_FAILED",
  stopped: "PRECONDITION_FAILED",
  refused: "CONFLICT",
  broken_store: "SERVICE_UNAVAILABLE",
  bad_reply: "BAD_GATEWAY",
  too_large: "CONFLICT",
  database_newer: "SERVICE_UNAVAILABLE",
  database_damaged: "SERVICE_UNAVAILABLE",
  database_unreadable: "SERVICE_UNAVAILABLE",
  closed: "SERVICE_UNAVAILABLE",
} as const satisfies Record<string, TrpcCode>;

/** Faults that are not bugs. Every other thrown thing is one, and becomes INTERNAL_SERVER_ERROR. */
const FAULT_CODES: ReadonlyMap<string, TrpcCode> = new Map(
  Object.entries({ ...END_CODES, ...REFUSED_CODES, ...PART_CODES }),
);

/** The cloud's word, or its silence. Its codes mean other things than the same ones of a part. */
const CLOUD_CODES: Readonly<Record<CloudCallCode, TrpcCode>> = {
  unreachable: "SERVICE_UNAVAILABLE",
  unavailable: "SERVICE_UNAVAILABLE",
  internal: "BAD_GATEWAY",
  bad_request: "BAD_GATEWAY",
  unauthorized: "PRECONDITION_FAILED",
  refused: "CONFLICT",
  too_large: "CONFLICT",
  too_many: "TOO_MANY_REQUESTS",
};

const FULL: ReadonlySet<string> = new Set(["SQLITE_FULL", "ENOSPC", "EDQUOT"]);
const DISK_FULL = "The disk is full. What was stored before is kept: make room, then try again.";

interface KnownFault {
  fault: string;
  code: TrpcCode;
  message: string;
}

/** What is known of a thrown thing; null for a bug. Errors of parts that this one may not import go by their names. */
function knownFault(cause: unknown): KnownFault | null {
  if (!(cause instanceof Error) || !("code" in cause) || typeof cause.code !== "string") return null;
  const { code: fault, name, message } = cause;
  if (cause instanceof CloudCallError) return { fault, code: CLOUD_CODES[cause.code], message };
  if (name === "VaultError")
    return { fault, code: "CONFLICT", message: `What came of the account does not verify (${message}).` };
  if (FULL.has(fault)) return { fault: "disk_full", code: "SERVICE_UNAVAILABLE", message: DISK_FULL };
  const code = FAULT_CODES.get(fault);
  return code === undefined ? null : { fault, code, message };
}

/** The closed code of a known fault; null for a bug. */
export function faultOf(cause: unknown): string | null {
  return knownFault(cause)?.fault ?? null;
}

/** Turns what a port threw into a tRPC error; a tRPC error of ours stays as it is. */
export function toTrpcError(thrown: unknown): TRPCError {
  // tRPC has wrapped what the port threw.
  const cause = thrown instanceof TRPCError && thrown.code === "INTERNAL_SERVER_ERROR" ? thrown.cause : thrown;
  if (cause instanceof TRPCError) return cause;
  const known = knownFault(cause);
  if (known !== null) return new TRPCError({ code: known.code, message: known.message, cause });
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
