import { expect, test } from "vitest";
import { createLocalCaller } from "../local.ts";
import { COMMAND_ID, memoryDevice, SESSION_ID } from "../memory-ports.test-kit.ts";

const about = { commandId: COMMAND_ID, sessionId: SESSION_ID };
const COMMANDS = ["start", "stop", "resume", "approve", "reject", "discard", "clean"] as const;

/** A device on which every command meets this. */
function failing(thrown: Error) {
  const { ports } = memoryDevice();
  for (const name of COMMANDS) ports.sessions[name] = () => Promise.reject(thrown);
  const call = createLocalCaller({ ports, caller: { runId: null } }).sessions;
  const calls = {
    start: () => call.start({ ...about, repoPath: "/srv/shop", prompt: "go" }),
    stop: () => call.stop(about),
    resume: () => call.resume(about),
    approve: () => call.approve({ ...about, treeId: "b".repeat(40) }),
    reject: () => call.reject(about),
    discard: () => call.discard(about),
    clean: () => call.clean({ commandId: COMMAND_ID }),
  };
  return { ports, calls };
}
const fault = (code: string, message: string) => Object.assign(new Error(message), { code });

test("S30 of every command it is answered, not thrown, that nobody knows whether it ran", async () => {
  const { calls } = failing(fault("command_failed", "git was killed"));
  for (const name of COMMANDS) {
    const aboutSession = name !== "clean";
    expect(await calls[name](), name).toMatchObject({
      ok: false,
      code: "in_doubt",
      reason: "git was killed. It may or may not have run: look at the session.",
      next: aboutSession ? "show" : "ls",
      session: aboutSession ? { id: SESSION_ID } : null,
    });
  }
});

test("the doubt is told where the session cannot be read either", async () => {
  const { ports, calls } = failing(fault("command_failed", "It may or may not have run."));
  ports.sessions.get = () => Promise.reject(new Error("no database"));
  const answer = await calls.reject();
  expect(answer).toMatchObject({ code: "in_doubt", reason: "It may or may not have run.", session: null });
});

test("every other thing that is thrown stays what it is", async () => {
  await expect(failing(fault("no_keys", "They are gone.")).calls.stop()).rejects.toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "They are gone.",
  });
  await expect(failing(new Error("a bug")).calls.stop()).rejects.toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
});
