import { expect, it } from "vitest";
import { probeClaude, readProbe } from "./probe-claude.ts";

const answer = (result: object, exitCode = 0) => ({
  exitCode,
  stdout: `${JSON.stringify({ type: "result", ...result })}\n`,
});

it("C032 a fresh session that answers is fine, and its price is told", () => {
  const check = readProbe(answer({ subtype: "success", is_error: false, result: "OK", total_cost_usd: 0.0032 }));
  expect(check).toMatchObject({ status: "ok", detail: "a fresh session answered, $0.0032" });
});

it("C032 a refused sign-in looks like success and is none", () => {
  const refused = {
    subtype: "success",
    is_error: true,
    result: "Not logged in · Please run /login",
    api_error_status: null,
  };
  expect(readProbe(answer(refused, 1))).toMatchObject({ status: "fail", fix: "claude auth login" });
  const gone = {
    subtype: "success",
    is_error: true,
    result: "API Error: 401 invalid x-api-key",
    api_error_status: 401,
  };
  expect(readProbe(answer(gone, 1))).toMatchObject({ status: "fail", fix: "claude auth login" });
});

it.each([
  [{ exitCode: null, stdout: "" }, /no answer in time/],
  [{ exitCode: 1, stdout: "" }, /exit code 1/],
  [answer({ is_error: true, result: "overloaded" }, 1), /overloaded/],
])("an answer that is none fails: %j", (given, detail) => {
  expect(readProbe(given)).toMatchObject({ status: "fail", detail: expect.stringMatching(detail) });
});

it("asks a model only through a program that is Claude Code, and only with a bound", async () => {
  const asked: string[][] = [];
  const probe = (version: string) =>
    probeClaude({
      command: ["/opt/claude"],
      ask: async () => ({ exitCode: 0, stdout: version }),
      askModel: async (words) => {
        asked.push([...words]);
        return answer({ is_error: false });
      },
    });
  expect(await probe("1.0.0 (something else)")).toMatchObject({ status: "warn" });
  expect(asked).toEqual([]);
  expect(await probe("2.1.332 (Claude Code)")).toMatchObject({ status: "ok" });
  expect(asked[0]?.join(" ")).toContain("--max-budget-usd 0.05");
});
