/** What is decided before the cloud's own program is asked; the rest is walked with real processes. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CallOptions, callCli } from "../call-cli.test-kit.ts";
import { buildProgram } from "../program/build-program.ts";
import type { Call, CommandSpec } from "../program/command-spec.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "codehands-serve-password-"));
});
afterEach(() => {
  expect(readdirSync(home)).toEqual([]);
  rmSync(home, { recursive: true });
});

const call = (line: string, o: Partial<CallOptions> = {}) => callCli(line.split(" "), { home, ...o });
const ADA = "serve password ada@example.org";

describe("serve password", () => {
  test("a person types it twice, unseen; two that differ change nothing", async () => {
    const raw: boolean[] = [];
    const onRawMode = (on: boolean): void => void raw.push(on);
    const { exitCode, stdout, stderr } = await call(ADA, {
      tty: true,
      input: ["first one\r", "other one\r"],
      onRawMode,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^New password: \nOnce more: \n/);
    expect(stderr).toContain("The two passwords are not the same. Nothing was changed.");
    expect(stderr).not.toMatch(/first one|other one/);
    expect(raw).toEqual([true, false, true, false]);
  });

  test("Ctrl-C at the question is exit 130", async () => {
    expect(await call(ADA, { tty: true, input: ["half\u0003"] })).toMatchObject({ exitCode: 130, stdout: "" });
  });

  test("no line on stdin is no password", async () => {
    for (const input of ["", "\n"]) {
      const { exitCode, stderr } = await call(`${ADA} --password-stdin --json`, { input });
      expect(exitCode).toBe(2);
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage", message: "There is no password." } });
    }
  });

  test("an agent may not", async () => {
    const variables = { CODEHANDS_RUN_ID: "r1" };
    const called = await call(`${ADA} --password-stdin`, { input: "a long password\n", variables });
    expect(called).toMatchObject({ exitCode: 5, stdout: "" });
  });
});

/** The options that a line brings to its command. */
async function optionsOf(line: string): Promise<{ path: string; text: (name: string) => string | undefined }> {
  const seen: { spec: CommandSpec; call: Call }[] = [];
  const program = buildProgram({
    dispatch: async (spec, given) => void seen.push({ spec, call: given }),
    now: 0,
    writeOut: () => undefined,
    helpWidth: 100,
  });
  await program.parseAsync(line.split(" "), { from: "user" });
  const [{ spec, call: given } = { spec: undefined, call: undefined }] = seen;
  return { path: spec?.path ?? "", text: (name) => given?.flags.text(name) };
}

test("an option means the same before the second word and after it; the one after it wins", async () => {
  for (const line of [
    `serve --data-dir /srv/cloud password a@b.org`,
    `serve password a@b.org --data-dir /srv/cloud`,
    `serve --data-dir /else password --data-dir /srv/cloud a@b.org`,
  ]) {
    const { path, text } = await optionsOf(line);
    expect([path, text("dataDir")]).toEqual(["serve password", "/srv/cloud"]);
  }
  const { path, text } = await optionsOf("serve --data-dir /srv/cloud --tls cert.pem key.pem");
  expect([path, text("dataDir")]).toEqual(["serve", "/srv/cloud"]);
});
