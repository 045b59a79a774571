import type { Usage } from "@codehands/contracts";
import { isRecord } from "../database/read-json.ts";

/** Tokens as an agent's result reports them, under the names that the known agents use; null when there are none. */
export function readUsage(reported: unknown): Usage | null {
  if (!isRecord(reported)) return null;
  const first = (...names: string[]): number => {
    const found = names.map((name) => reported[name]).find((value) => typeof value === "number" && value >= 0);
    return typeof found === "number" ? found : 0;
  };
  const usage: Usage = {
    inputTokens: first("inputTokens", "input_tokens") + first("cache_creation_input_tokens"),
    cachedInputTokens: first("cachedInputTokens", "cached_input_tokens", "cache_read_input_tokens"),
    outputTokens: first("outputTokens", "output_tokens"),
  };
  const reasoningTokens = first("reasoningTokens", "reasoning_output_tokens");
  return reasoningTokens > 0 ? { ...usage, reasoningTokens } : usage;
}

/** The tokens of two runs together. */
export function addUsage(before: Usage | null, run: Usage | null): Usage | null {
  if (before === null || run === null) return run ?? before;
  const reasoningTokens = (before.reasoningTokens ?? 0) + (run.reasoningTokens ?? 0);
  return {
    inputTokens: before.inputTokens + run.inputTokens,
    cachedInputTokens: before.cachedInputTokens + run.cachedInputTokens,
    outputTokens: before.outputTokens + run.outputTokens,
    ...(reasoningTokens > 0 ? { reasoningTokens } : {}),
  };
}
