import { test } from "vitest";
import { crashAndCheck } from "./crash-run.test-kit.ts";

// One point here; the long run visits every one.
test("F01: killed after its runner has landed the commit, the daemon ends with exactly that commit", async () => {
  const types = ["task.started", "message", "message", "file.changed", "task.finished"];
  await crashAndCheck("approve", { name: "approve.after-runner", nth: 1 }, types);
});
