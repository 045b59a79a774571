import { describe, expect, it } from "vitest";
import { claudeProviderState, claudeRateLimit, claudeRetry } from "./claude-provider.ts";
import { recording, replay } from "./replay.test-kit.ts";

const notices = (name: string) =>
  replay(recording(name)).events.flatMap((event) => (event.type === "provider.status" ? [event.payload] : []));

describe("claudeProviderState: the rules in their order", () => {
  it.each([
    ["usage_limit", { apiError: "usage_limit_reached", error: "rate_limit", status: 429, text: "" }],
    ["usage_limit", { error: "rate_limit", status: 429, text: "You have reached your usage limit." }],
    ["usage_limit", { error: "unknown", status: 400, text: "reached your specified API usage limits" }],
    ["usage_limit", { text: "You've hit your weekly limit" }],
    ["rate_limited", { error: "rate_limit", status: 429, text: "limiting requests (not your usage limit)" }],
    ["subscription_inactive", { error: "billing_error", status: 400, text: "" }],
    ["subscription_inactive", { error: "unknown", status: 402, text: "" }],
    ["subscription_inactive", { error: "oauth_org_not_allowed", status: 403, text: "" }],
    [
      "subscription_inactive",
      { error: "authentication_failed", status: 403, text: "Your organization has been disabled." },
    ],
    ["subscription_inactive", { text: "Credit balance is too low" }],
    ["auth_expired", { error: "authentication_failed", status: 403, text: "OAuth token revoked" }],
    ["auth_expired", { error: "unknown", status: 401, text: "" }],
    ["rate_limited", { error: "rate_limit", text: "" }],
    ["rate_limited", { status: 429, text: "rate limit of 50,000 tokens" }],
    ["down", { error: "server_error", text: "" }],
    ["down", { error: "overloaded", text: "" }],
    ["down", { status: 503, text: "" }],
    ["down", { apiError: "connection_failed", text: "" }],
    [null, { error: "model_not_found", status: 404, text: "" }],
    [null, { error: "invalid_request", status: 400, text: "Prompt is too long" }],
    [null, { error: "max_output_tokens", apiError: "max_output_tokens", text: "exceeded the output token maximum" }],
    [null, { text: "" }],
  ] as const)("%s from %j", (state, facts) => {
    expect(claudeProviderState(facts)).toBe(state);
  });

  it("stays quick on a text that is made to be slow", () => {
    expect(claudeProviderState({ text: "hit your ".repeat(200_000) })).toBeNull();
  });
});

describe("provider notices as they were recorded", () => {
  it("tells when a five-hour limit ends, in the early line and in the last word", () => {
    const retryAt = new Date(1796060000 * 1000).toISOString();
    expect(notices("oauth-usage-limit")).toEqual([
      {
        state: "usage_limit",
        retryAt,
        detail: `The five-hour limit is used up; it resets at ${retryAt}.`,
        transient: false,
      },
      { state: "usage_limit", retryAt, detail: "You've hit your 5-hour limit · resets 5:33pm (UTC)", transient: false },
    ]);
    expect(replay(recording("oauth-usage-limit")).end.payload).toMatchObject({ reason: "usage_limit", retryAt });
  });

  it("reads the day on which an API limit ends out of the words", () => {
    expect(notices("err-400-usage-limits")[0]?.retryAt).toBe("2026-12-01T00:00:00.000Z");
  });

  it("warns at 95 % and goes on: no failure is left behind", () => {
    const { report } = replay(recording("oauth-rate-limit-warning"));
    expect(notices("oauth-rate-limit-warning")[0]).toMatchObject({
      transient: true,
      detail: expect.stringContaining("near (95 % used)"),
    });
    expect(report.provider).toBeNull();
  });

  it("a retry is transient and counted; success afterwards leaves no failure", () => {
    expect(notices("err-429-then-ok").map(({ attempt, transient }) => [attempt, transient])).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(replay(recording("err-429-then-ok")).report.provider).toBeNull();
    expect(notices("err-529")[0]?.detail).toBe(
      "The provider answered 529 (overloaded); the agent tries again, attempt 1 of 1.",
    );
    expect(notices("down")[0]?.detail).toBe("The provider did not answer; the agent tries again, attempt 1 of 1.");
  });

  it("an answer after a retry clears the failure, also when the run is cut off later", () => {
    const { lines, ...rest } = recording("err-429-then-ok");
    const cut = replay({ ...rest, lines: lines.slice(0, -1), exitCode: 1 });
    expect(cut.report).toMatchObject({ provider: null, result: null });
    expect(cut.end).toMatchObject({ type: "task.failed", payload: { reason: "no_result" } });
  });

  it("a plain failure leaves no provider state behind", () => {
    for (const name of ["err-404-model", "err-413", "max-tokens", "refusal"]) {
      expect(replay(recording(name)).report.provider).toBeNull();
    }
  });
});

describe("notices of lines that were never recorded", () => {
  it("a limit that is used up while overage is paid for is no stop", () => {
    const info = { status: "rejected", resetsAt: 1796060000, rateLimitType: "seven_day", isUsingOverage: true };
    expect(claudeRateLimit({ rate_limit_info: info })).toMatchObject({ state: "usage_limit", transient: true });
  });

  it("a time that no calendar knows is left out", () => {
    expect(claudeRateLimit({ rate_limit_info: { status: "rejected", resetsAt: 1e300 } })).toMatchObject({
      state: "rate_limited",
    });
    expect(claudeRateLimit({})).toBeNull();
  });

  it("a retry that names nothing is a provider that does not answer", () => {
    expect(claudeRetry({})).toEqual({
      state: "down",
      detail: "The provider did not answer; the agent tries again.",
      transient: true,
    });
  });
});
