import type { Command } from "@codehands/contracts";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import {
  appendLines,
  openTestDevice,
  signUpWith,
  type TestDevice,
  waitForRecord,
  writeRecord,
} from "../../../../test/kit/open-client-device.ts";
import { type CloudProcess, openCloudProcess } from "../../../../test/kit/open-cloud-process.ts";
import { type OpenedPage, openPage } from "../../../../test/kit/open-page.ts";
import { cutChange } from "../changes/cut-change.ts";
import { aChange, commandId, lineOf, linesOf, sessionBody } from "../replica/other-device.test-kit.ts";
import type { ReplicaPage } from "./page.test-kit.ts";

const SECONDS = { timeout: 20_000, interval: 50 };
const TREE = "b".repeat(40);

let cloud: CloudProcess;
let laptop: TestDevice;
let page: OpenedPage<ReplicaPage>;
const session = crypto.randomUUID();
const stream = crypto.randomUUID();
const frames = async () => (await page.ask("frames")) as string[];

/** The laptop tells of its session as it is now. */
async function tell(change: Record<string, unknown>): Promise<void> {
  const log = await laptop.store.logOf(session);
  const tail = { lastSeq: log?.lastSeq ?? 0, tailMac: log?.tailMac ?? "" };
  await writeRecord(laptop, { kind: 3, id: session, body: sessionBody(session, { ...tail, ...change }) });
}

beforeAll(async () => {
  cloud = await openCloudProcess();
  laptop = await openTestDevice("laptop");
  await signUpWith(laptop, cloud.url);
  await appendLines(laptop, session, linesOf(1, 3));
  await tell({ title: "Fix the date bug", status: "running", rev: 1 });
  const entry = new URL("page.test-kit.ts", import.meta.url);
  page = await openPage({ entry, launch: inject("chromium"), build, chromium, origin: cloud.url });
}, 120_000);
afterAll(async () => {
  await page?.close();
  await laptop?.device.close();
  await cloud?.stop();
});

describe("a page with a replica of its own, in Chromium", () => {
  test("V29 V30 it is let in by code and digits, with the role to command and no other", async () => {
    expect(await page.ask("open")).toBe("signed_out");
    const { pairingId, userCode } = (await page.ask("begin", cloud.url)) as { pairingId: string; userCode: string };
    const found = await laptop.device.pair.lookUp({ code: userCode });
    if (!found.ok) throw new Error(found.reason);
    const shown = (await page.ask("pairing", pairingId)) as { state: string; digits: string };
    expect(shown.state).toBe("digits");
    const approved = await laptop.device.pair.approve({ pairingId: found.pairingId, digits: shown.digits });
    expect(approved).toMatchObject({ ok: true });
    expect(await page.ask("pairing", pairingId)).toMatchObject({ state: "let_in", digits: shown.digits });
    expect(await page.ask("accept", pairingId)).toMatchObject({ state: "joined" });
    const { devices } = await laptop.device.devices.list();
    expect(devices.find(({ current }) => !current)).toMatchObject({ platform: "web", roles: ["command"] });
  });

  test("the sessions router answers in the page: list, events, and a stream that goes on", async () => {
    await vi.waitFor(async () => {
      const sessions = await page.ask("sessions");
      expect(sessions).toMatchObject([{ id: session, title: "Fix the date bug", device: { name: "laptop" } }]);
    }, SECONDS);
    expect(await page.ask("events", session, true)).toMatchObject([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    await page.ask("watch", session, 1);
    await vi.waitFor(async () => expect(await frames()).toEqual(["session running", "event 2", "event 3"]), SECONDS);
    await appendLines(laptop, session, [lineOf(4, "done", "task.finished")]);
    // Its record is told when the event is there: beside a slow request for events it would overtake it.
    await vi.waitFor(async () => expect((await frames()).at(-1)).toBe("event 4"), SECONDS);
    await tell({ status: "awaiting_approval", rev: 2 });
    const all = ["session running", "event 2", "event 3", "event 4", "session awaiting_approval"];
    await vi.waitFor(async () => expect(await frames()).toEqual(all), SECONDS);
    expect(await page.ask("events", session, false)).toHaveLength(4);
  });

  test("a change is reviewed, and its approval reaches the owner with what was read; the answer comes back", async () => {
    const { lines, ...record } = await cutChange(aChange("+a line\n".repeat(20_000)));
    await appendLines(laptop, stream, lines);
    await writeRecord(laptop, { kind: 7, id: session, body: { ...record, streamId: stream } });
    await vi.waitFor(async () => expect(await page.ask("diff", session)).toMatchObject({ treeId: TREE }), SECONDS);
    const input = { commandId: commandId(1), sessionId: session, treeId: TREE };
    const answer = page.ask("approve", input);
    const command = JSON.parse(await waitForRecord(laptop, { kind: 5, id: commandId(1) })) as Command;
    const log = await laptop.store.logOf(session);
    expect(command).toMatchObject({
      targetDeviceId: laptop.device.writing()?.deviceId,
      payload: { kind: "approve", treeId: TREE },
      expects: { status: ["awaiting_approval"], treeId: TREE, seq: 4, chain: log?.tailMac },
      incarnation: (await laptop.account.load())?.incarnation,
    });
    // The owner takes it on by itself; what came of it is what its runner says.
    await vi.waitFor(() => expect(laptop.store.data.applied.get(commandId(1))).toBeNull(), SECONDS);
    const outcome = {
      state: "done",
      boot: "b",
      code: null,
      reason: null,
      result: { branch: "fix", commit: "c", treeId: TREE },
    };
    laptop.store.data.applied.set(commandId(1), JSON.stringify(outcome));
    await tell({ status: "approved", rev: 3 });
    // On a busy machine the first answer may be that it is under way; asked again under its id it gives the outcome.
    expect(await answer).toMatchObject({ ok: true });
    await vi.waitFor(
      async () =>
        expect(await page.ask("commandState", commandId(1))).toMatchObject({ state: "done", kind: "approve" }),
      SECONDS,
    );
    expect(await page.ask("approve", input)).toMatchObject({ ok: true, result: { branch: "fix" } });
  });

  test("V5 no key of the page can be read, and a reload without a cloud keeps everything", async () => {
    expect(await page.ask("readableKeys")).toEqual([]);
    await cloud.kill();
    await page.reload();
    expect(await page.ask("open")).toBe("active");
    expect(await page.ask("readableKeys")).toEqual([]);
    expect(await page.ask("sessions")).toMatchObject([
      { id: session, status: "approved", remote: { heldSeq: 4, warning: null } },
    ]);
    expect(await page.ask("events", session, true)).toHaveLength(4);
    expect(await page.ask("diff", session)).toMatchObject({ patch: "+a line\n".repeat(20_000) });
    expect(await page.ask("commandState", commandId(1))).toMatchObject({ state: "done" });
  });

  test("when the cloud is back, what happened meanwhile comes by itself", async () => {
    await appendLines(laptop, session, [lineOf(5, "afterwards")]);
    await cloud.start();
    await page.ask("watch", session, 4);
    await vi.waitFor(async () => expect(await frames()).toEqual(["session approved", "event 5"]), {
      ...SECONDS,
      // The page tries again after a minute at the latest.
      timeout: 110_000,
    });
    expect(await page.ask("faults")).toEqual([]);
  });
});
