import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { appendLines, openTestDevice, signUpWith, type TestDevice, writeRecord } from "../kit/open-client-device.ts";
import { type CloudProcess, openCloudProcess } from "../kit/open-cloud-process.ts";
import { sessionBody } from "../kit/session-body.ts";
import { until } from "../kit/temp-home.ts";

const EXAMPLE = new URL("../../packages/device/examples/follow-session.mjs", import.meta.url).pathname;

let cloud: CloudProcess;
let laptop: TestDevice;
let folder = "";
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codehands-example-"));
  cloud = await openCloudProcess();
  laptop = await openTestDevice("laptop");
  await signUpWith(laptop, cloud.url);
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await laptop.device.close();
  await cloud.stop();
  await rm(folder, { recursive: true });
});

/** The example as its reader runs it. */
function run() {
  const child = spawn(process.execPath, [EXAMPLE, cloud.url, join(folder, "keys and replica")]);
  running.push(child);
  const exit = once(child, "exit") as Promise<[number | null]>;
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  /** Waits for a line, and gives what its group found. */
  const says = async (form: RegExp): Promise<string> => {
    await until(() => form.test(said) || child.exitCode !== null);
    const found = form.exec(said);
    if (found === null) throw new Error(`It ended without saying ${form}:\n${said}`);
    return found[1] ?? found[0];
  };
  return { says, exit, all: () => said };
}

const line = (seq: number): string =>
  JSON.stringify({
    id: randomUUID(),
    seq,
    type: "message",
    at: "2026-03-01T12:00:00.000Z",
    runId: null,
    payload: { text: `step ${seq}` },
  });

test("a program of a stranger pairs by code and digits, lists the sessions and follows one; the next time it just goes on", async () => {
  const id = randomUUID();
  const tell = async (status: string): Promise<void> => {
    const log = await laptop.store.logOf(id);
    const tail = { lastSeq: log?.lastSeq ?? 0, tailMac: log?.tailMac ?? "" };
    await writeRecord(laptop, { kind: 3, id, body: sessionBody(id, { title: "Fix the date bug", status, ...tail }) });
  };
  await appendLines(laptop, id, [line(1), line(2)]);
  await tell("running");

  const first = run();
  const found = await laptop.device.pair.lookUp({ code: await first.says(/pair approve (\S+)/) });
  if (!found.ok) throw new Error(found.reason);
  const digits = await first.says(/these digits: (\d{6})/);
  expect(await laptop.device.pair.approve({ pairingId: found.pairingId, digits })).toMatchObject({ ok: true });
  await first.says(/^Joined\.$/m);
  await first.says(new RegExp(`^${id.slice(0, 8)}  running  Fix the date bug  on laptop$`, "m"));
  await first.says(/^2 message \{"text":"step 2"\}$/m);
  await appendLines(laptop, id, [line(3)]);
  await first.says(/^3 message \{"text":"step 3"\}$/m);
  await tell("awaiting_approval");
  await first.says(/^It is awaiting_approval\.$/m);
  expect(await first.exit).toEqual([0, null]);

  const second = run();
  expect(await second.exit).toEqual([0, null]);
  expect(second.all()).not.toMatch(/pair|digits/);
  expect(second.all()).toMatch(/step 1[^]*step 2[^]*step 3[^]*It is awaiting_approval\.\n$/);
  const { devices } = await laptop.device.devices.list();
  expect(devices.map(({ name, kind }) => `${kind} ${name}`).sort()).toEqual([
    "daemon laptop",
    "program follow-session",
  ]);
  expect(laptop.faults).toEqual([]);
});
