import { test } from "vitest";
import { crashAndCheck } from "./crash-run.test-kit.ts";

// Two points here; the long run visits every one.
test("F01: killed after its runner has landed the commit, the daemon ends with exactly that commit", async () => {
  const types = ["task.started", "message", "message", "file.changed", "task.finished"];
  await crashAndCheck("approve", { name: "approve.after-runner", nth: 1 }, types);
});

test("S29 F01: killed after it took a command of another device on, the daemon carries it out once and answers", async () => {
  const types = ["task.started", "message", "task.finished"];
  await crashAndCheck("remote", { name: "remote.accepted", nth: 1 }, types);
});
