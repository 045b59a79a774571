import { describe, expect, test } from "vitest";
import { childEnvironment } from "./child-environment.ts";

const ids = { sessionId: "s-1", runId: "r-1" };
const own = { TERM: "dumb", CODEHANDS_SESSION_ID: "s-1", CODEHANDS_RUN_ID: "r-1" };

describe("childEnvironment", () => {
  test("an agent finds its way, its network and its sign-in", () => {
    const source = {
      PATH: "/bin",
      HOME: "/home/me",
      LC_ALL: "C",
      XDG_CONFIG_HOME: "/x",
      https_proxy: "http://proxy",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
      ANTHROPIC_API_KEY: "k1",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      CLAUDE_CONFIG_DIR: "/c",
      CLAUDE_CODE_OAUTH_TOKEN: "k2",
      OPENAI_API_KEY: "k3",
      CODEX_HOME: "/d",
      DISABLE_TELEMETRY: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      JAVA_HOME: "/java",
    };
    expect(childEnvironment({ source, ...ids })).toEqual({ ...source, ...own });
  });

  test.each([
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SSE_PORT",
    "GIT_DIR",
    "GIT_CONFIG_COUNT",
    "GIT_SSH_COMMAND",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "SSH_AUTH_SOCK",
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "DATABASE_URL",
    "CODEHANDS_TOKEN",
    "CODEHANDS_HOME",
  ])("%s does not pass", (name) => {
    expect(childEnvironment({ source: { [name]: "value" }, ...ids })).toEqual(own);
  });

  test("a name that the person added passes, one of our own never, and an unset one stays unset", () => {
    const source = { GITHUB_TOKEN: "t", CODEHANDS_TOKEN: "secret", EMPTY: undefined };
    const passNames = ["GITHUB_TOKEN", "CODEHANDS_TOKEN", "EMPTY", "NOT_THERE"];
    expect(childEnvironment({ source, ...ids, passNames })).toEqual({ ...own, GITHUB_TOKEN: "t" });
  });

  test("what the agent's call adds wins over the source, and cannot take the place of the ids", () => {
    const extra = { PATH: "/other", DISABLE_AUTOUPDATER: "1", CODEHANDS_RUN_ID: "another" };
    const env = childEnvironment({ source: { PATH: "/bin", CODEHANDS_RUN_ID: "outer" }, ...ids, extra });
    expect(env).toEqual({ ...own, PATH: "/other", DISABLE_AUTOUPDATER: "1" });
  });
});
