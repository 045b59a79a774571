import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRunner } from "@codehands/runner";
import { alternate, type BenchRow, makeRepository, median, ratio, time } from "./measure.ts";

const LINES = 40_000;

/** Bytes of an agent's output → events, against a loop that cuts the same bytes into lines and parses them. */
export async function benchLines(rounds: number): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of [230, 2_000]) {
    const { root, repo, remove } = makeRepository(10);
    const output = join(root, "output.ndjson");
    const pad = (line: object) =>
      JSON.stringify({ ...line, pad: "x".repeat(Math.max(0, size - JSON.stringify(line).length - 10)) });
    const text = (index: number) =>
      pad({
        type: "assistant",
        message: { id: `m${index}`, content: [{ type: "text", text: `line ${index}` }] },
        parent_tool_use_id: null,
      });
    const init = JSON.stringify({ type: "system", subtype: "init", session_id: "s", model: "m", cwd: "/" });
    const result = JSON.stringify({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "ok",
      num_turns: 1,
      total_cost_usd: 0,
    });
    writeFileSync(
      output,
      `${[init, ...Array.from({ length: LINES }, (_, index) => text(index)), result].join("\n")}\n`,
    );
    const bytes = readFileSync(output);

    const bare = () =>
      time(() => {
        let from = 0;
        for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
          JSON.parse(bytes.toString("utf8", from, at));
          from = at + 1;
        }
      });
    const ours = async () => {
      // From the first event on: the spawn and the worktree are another row.
      const runner = createRunner({ home: join(root, "home"), agentCommand: ["sh", "-c", 'cat "$0"', output] });
      let first = 0;
      let last = 0;
      for await (const event of runner.start({
        sessionId: randomUUID(),
        repoPath: repo,
        prompt: "bench",
        agent: "claude-code",
      })) {
        if (first === 0) first = performance.now();
        if (event.type === "message") last = performance.now();
      }
      return last - first;
    };
    const times = await alternate(rounds, bare, ours);
    const value = median(times.a) / median(times.b);
    rows.push({
      name: `bytes → event, ${LINES} lines of ${size} B`,
      value: ratio(value),
      goal: "≥ 0.7 x cut and parse",
      detail: `${(LINES / median(times.b)).toFixed(0)} k lines/s, bare ${(LINES / median(times.a)).toFixed(0)} k lines/s`,
    });
    remove();
  }
  return rows;
}
