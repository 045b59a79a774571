import type { ProviderState } from "@codehands/contracts";
import { field, type JsonObject, numberField, stringField } from "./field.ts";

/** What Claude Code says about a failed request. */
export interface ProviderFacts {
  error?: string | undefined;
  apiError?: string | undefined;
  status?: number | undefined;
  text: string;
}

export interface ProviderNotice {
  state: ProviderState;
  retryAt?: string;
  detail: string;
  transient: boolean;
  attempt?: number;
}

/** The state that a failed request means, or null for a plain failure. The order of the rules counts. */
export function claudeProviderState(facts: ProviderFacts): ProviderState | null {
  const { error, apiError, status } = facts;
  const text = facts.text.slice(0, 2000);
  if (apiError === "usage_limit_reached") return "usage_limit";
  if (!/not your usage limit/i.test(text) && /usage limits?|hit your .* limit/i.test(text)) return "usage_limit";
  if (error === "billing_error" || error === "oauth_org_not_allowed" || status === 402) return "subscription_inactive";
  if (/organization has been disabled|credit balance/i.test(text)) return "subscription_inactive";
  if (error === "authentication_failed" || status === 401) return "auth_expired";
  if (error === "rate_limit" || status === 429) return "rate_limited";
  if (error === "server_error" || error === "overloaded" || apiError === "connection_failed") return "down";
  if (status !== undefined && status >= 500) return "down";
  return null;
}

/** The notice of a `system/api_retry` line. What is retried and named no further is a provider that does not answer. */
export function claudeRetry(line: JsonObject): ProviderNotice {
  const error = stringField(line, "error");
  const status = numberField(line, "error_status");
  const attempt = numberField(line, "attempt");
  const most = numberField(line, "max_retries");
  const what = status === undefined ? "The provider did not answer" : `The provider answered ${status}`;
  const why = error === undefined || error === "unknown" ? "" : ` (${error.replaceAll("_", " ")})`;
  const counted = attempt === undefined ? "" : `, attempt ${attempt}${most === undefined ? "" : ` of ${most}`}`;
  return {
    state: claudeProviderState({ error, status, text: "" }) ?? "down",
    detail: `${what}${why}; the agent tries again${counted}.`,
    transient: true,
    ...(attempt === undefined ? {} : { attempt }),
  };
}

/** The notice of a `rate_limit_event` line, or null while requests are allowed. */
export function claudeRateLimit(line: JsonObject): ProviderNotice | null {
  const info = field(line, "rate_limit_info");
  const status = stringField(info, "status");
  if (status === undefined || status === "allowed") return null;
  const retryAt = isoTime(numberField(info, "resetsAt"));
  const rejected = status === "rejected";
  if (rejected && retryAt === undefined) {
    return { state: "rate_limited", detail: "The provider limits requests for now.", transient: false };
  }
  const window = (stringField(info, "rateLimitType") ?? "usage").replaceAll("_", "-");
  const used = numberField(info, "utilization");
  const share = used === undefined ? "" : ` (${Math.round(used * 100)} % used)`;
  const reset = retryAt === undefined ? "" : `; it resets at ${retryAt}`;
  return {
    state: "usage_limit",
    ...(retryAt === undefined ? {} : { retryAt }),
    detail: rejected ? `The ${window} limit is used up${reset}.` : `The ${window} limit is near${share}${reset}.`,
    transient: !rejected || field(info, "isUsingOverage") === true,
  };
}

/** The notice of an error that Claude Code gave up on, or null when it is a plain failure. */
export function claudeApiError(line: JsonObject, text: string): ProviderNotice | null {
  const state = claudeProviderState({
    error: stringField(line, "error"),
    apiError: stringField(line, "api_error"),
    status: numberField(line, "api_error_status"),
    text,
  });
  if (state === null) return null;
  const reset = isoTime(numberField(line, "api_error_params", "rate_limit_info", "resetsAt"));
  const retryAt = state === "usage_limit" ? (reset ?? namedTime(text)) : undefined;
  return { state, ...(retryAt === undefined ? {} : { retryAt }), detail: text, transient: false };
}

/** Epoch seconds as ISO time; undefined for what no calendar knows. */
function isoTime(seconds: number | undefined): string | undefined {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** "You will regain access on 2026-12-01 at 00:00 UTC." */
function namedTime(text: string): string | undefined {
  const found = /regain access on (\d{4}-\d\d-\d\d) at (\d\d:\d\d) UTC/.exec(text);
  return found === null ? undefined : isoTime(Date.parse(`${found[1]}T${found[2]}:00Z`) / 1000);
}
