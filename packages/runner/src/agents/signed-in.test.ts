import { describe, expect, it } from "vitest";
import { readClaudeAuth } from "./signed-in.ts";

/** As `claude auth status` of version 2.1.332 prints it. */
const status = (loggedIn: boolean, authMethod: string, more: object = {}) =>
  JSON.stringify({ loggedIn, authMethod, apiProvider: "firstParty", loginExpiresAt: null, ...more }, null, 2);

describe("readClaudeAuth", () => {
  it.each([
    ["an API key", status(true, "api_key", { apiKeySource: "ANTHROPIC_API_KEY" })],
    ["a token", status(true, "oauth_token")],
    ["a subscription", status(true, "claude.ai", { subscriptionType: "pro", storedClaudeAiLogin: true })],
    ["another provider", status(true, "third_party", { apiProvider: "bedrock" })],
  ])("is true with %s", (_, output) => {
    expect(readClaudeAuth(output, 0)).toBe(true);
  });

  it("is false when nobody is signed in, told as JSON or as text", () => {
    expect(readClaudeAuth(status(false, "none"), 1)).toBe(false);
    expect(readClaudeAuth("Not logged in. Run claude auth login to authenticate.\n", 1)).toBe(false);
  });

  it("reads the answer through a warning before it", () => {
    expect(readClaudeAuth(`warning: old settings\n${status(true, "api_key")}\n`, 0)).toBe(true);
  });

  it.each([
    ["an old version without the command", "error: unknown command 'auth'", 1],
    ["nothing", "", 0],
    ["a crash", status(true, "api_key"), 139],
    ["a code that contradicts the answer", status(true, "api_key"), 1],
    ["broken JSON", '{"loggedIn": tr', 0],
    ["another shape", '{"loggedIn":"yes"}', 0],
    ["a list", "[true]", 0],
  ])("is unknown after %s", (_, output, exitCode) => {
    expect(readClaudeAuth(output, exitCode)).toBe("unknown");
  });
});
