import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { clientStage } from "../kit/client-devices.ts";
import { openFaultyFetch } from "../kit/faulty-fetch.ts";
import {
  appendLines,
  followOn,
  linesOn,
  newEmail,
  PASSWORD,
  pairWith,
  signUpWith,
  waitForRecord,
  writeRecord,
} from "../kit/open-client-device.ts";
import { fetchFromOwnAddress } from "../kit/open-cloud-process.ts";
import { until } from "../kit/temp-home.ts";

const stage = clientStage();

test("V7 V8 V29 sign up and pair: records and logs of one device are on the other one byte for byte", async () => {
  const laptop = await stage.open("laptop");
  expect(await signUpWith(laptop, stage.cloud.url)).toMatch(/^([0-9A-Z]{5}-){5}[0-9A-Z]{5}$/);
  expect(await laptop.device.account.status()).toMatchObject({ state: "active", roles: ["admin", "command", "run"] });
  const desktop = await stage.open("desktop");
  await pairWith(laptop, desktop, stage.cloud.url);
  const id = randomUUID();
  await writeRecord(laptop, { kind: 3, id, body: { title: "Fix the date bug" } });
  expect(JSON.parse(await waitForRecord(desktop, { kind: 3, id }))).toEqual({ title: "Fix the date bug" });
  const lines = Array.from({ length: 2_500 }, (_, at) => JSON.stringify({ id: `e${at}`, text: `Zeile ${at} – ü` }));
  await appendLines(laptop, id, lines);
  await until(async () => (await desktop.store.logOf(id))?.row?.lastSeq === lines.length);
  // Events come for what somebody opens.
  expect(await desktop.store.logOf(id)).toMatchObject({ lastSeq: 0, followed: false });
  await followOn(desktop, id, laptop);
  await until(async () => (await desktop.store.logOf(id))?.lastSeq === lines.length);
  expect(linesOn(desktop, id)).toEqual(lines);
  expect(laptop.faults).toEqual([]);
  expect(desktop.faults).toEqual([]);
});

test("a second process of a device goes on where the first one was", async () => {
  const laptop = await stage.open("laptop");
  await signUpWith(laptop, stage.cloud.url);
  const id = randomUUID();
  await writeRecord(laptop, { kind: 3, id, body: { title: "before" } });
  await laptop.device.sync.now();
  await laptop.restart();
  expect(await laptop.device.account.status()).toMatchObject({ state: "active", email: expect.stringContaining("@") });
  await writeRecord(laptop, { kind: 3, id, body: { title: "after" } });
  const view = await laptop.device.sync.now();
  expect(view).toMatchObject({ state: "resting", pendingPush: { events: 0, records: 0 }, suspicions: [], ask: null });
  const desktop = await stage.open("desktop");
  await pairWith(laptop, desktop, stage.cloud.url);
  expect(JSON.parse(await waitForRecord(desktop, { kind: 3, id }))).toEqual({ title: "after" });
});

test("S10 a person may have everything asked for again, and may let it rest: nothing that is held here is lost", async () => {
  const laptop = await stage.open("laptop");
  await signUpWith(laptop, stage.cloud.url);
  const id = randomUUID();
  await writeRecord(laptop, { kind: 3, id, body: { title: "first" } });
  await appendLines(laptop, id, ['{"id":"e1"}']);
  expect(await laptop.device.sync.now()).toMatchObject({ state: "resting" });
  expect(await laptop.device.sync.pause()).toMatchObject({ state: "paused" });
  await writeRecord(laptop, { kind: 3, id, body: { title: "second" } });
  await laptop.restart();
  expect(await laptop.device.sync.now()).toMatchObject({ state: "paused" });
  await laptop.device.sync.resume();
  await laptop.device.sync.reset();
  const view = await laptop.device.sync.now();
  expect(view).toMatchObject({ state: "resting", pendingPush: { events: 0, records: 0 }, refused: [], suspicions: [] });
  expect(view.lastRoundTripAt).not.toBeNull();
  const desktop = await stage.open("desktop");
  await pairWith(laptop, desktop, stage.cloud.url);
  expect(await waitForRecord(desktop, { kind: 3, id })).toContain("second");
  expect(linesOn(laptop, id)).toEqual(['{"id":"e1"}']);
});

test("a login without keys is locked, and says what to do", async () => {
  const laptop = await stage.open("laptop");
  const email = newEmail();
  await signUpWith(laptop, stage.cloud.url, email);
  const other = await stage.open("other");
  const logged = await other.device.account.logIn({ cloudUrl: stage.cloud.url, email, password: PASSWORD });
  expect(logged).toMatchObject({ ok: true, recoveryCode: null, account: { state: "locked", devices: 1 } });
  expect(other.device.writing()).toBeNull();
  const wrong = await other.device.account.logIn({ cloudUrl: stage.cloud.url, email, password: "another password" });
  expect(wrong).toMatchObject({ ok: false, code: "wrong_password" });
  const twice = await laptop.device.account.logIn({ cloudUrl: stage.cloud.url, email, password: PASSWORD });
  expect(twice).toMatchObject({ ok: false, code: "signed_in_already" });
});

test("signing up goes on whichever answer was lost, and makes one vault with one device", async () => {
  for (const path of ["sign-up/email", "sign-in/email", "roster.get", "roster.append", "accounts.status"]) {
    const net = openFaultyFetch(fetchFromOwnAddress());
    const laptop = await stage.open("laptop", { fetch: net.fetch });
    const email = newEmail();
    net.loseAnswer(path);
    if (path === "accounts.status") net.loseAnswer("roster.append");
    const credentials = { cloudUrl: stage.cloud.url, email, password: PASSWORD };
    let made = await laptop.device.account.signUp(credentials);
    // What a person does: the same again.
    if (!made.ok) made = await laptop.device.account.signUp(credentials);
    expect(made, path).toMatchObject({ ok: true, account: { state: "active" } });
    expect(made.ok && made.recoveryCode, path).toMatch(/^[0-9A-Z-]{35}$/);
    expect((await laptop.device.devices.list()).devices, path).toHaveLength(1);
    // The code that was shown is the one that counts.
    const phone = await stage.open("phone");
    const code = made.ok ? (made.recoveryCode ?? "") : "";
    const back = await phone.device.account.recover({ ...credentials, code });
    expect(back, path).toMatchObject({ ok: true });
  }
});

test("V36 neither password nor recovery code is stored, logged or sent in the clear", async () => {
  const sent: string[] = [];
  const ask = fetchFromOwnAddress();
  const laptop = await stage.open("laptop", {
    async fetch(to, init) {
      const request = new Request(to, init);
      sent.push(`${request.url} ${[...request.headers].join(" ")} ${await request.clone().text()}`);
      return ask(to, init);
    },
  });
  const email = newEmail();
  const code = await signUpWith(laptop, stage.cloud.url, email);
  await writeRecord(laptop, { kind: 3, id: randomUUID(), body: { title: "a title that nobody reads" } });
  await laptop.device.sync.now();
  const kept = JSON.stringify([await laptop.account.load(), [...laptop.store.data.records.values()], laptop.faults]);
  const wire = sent.join("\n");
  for (const secret of [PASSWORD, code, code.replaceAll("-", "")]) expect(kept).not.toContain(secret);
  for (const secret of [code, code.replaceAll("-", ""), "a title that nobody reads"])
    expect(wire).not.toContain(secret);
  const roots = (await laptop.keys.load())?.roots ?? [];
  for (const root of roots)
    if ("root" in root) expect(wire).not.toContain(Buffer.from(root.root).toString("base64url"));
  // The password goes where people log in, and nowhere else; the address is in no query.
  expect(sent.filter((each) => each.includes(PASSWORD)).every((each) => each.includes("/auth/sign-"))).toBe(true);
  expect(sent.some((each) => (each.split(" ")[0] ?? "").includes(email))).toBe(false);
});

test("V34 a recovery whose answer was lost goes on, and the code that is shown is the one that counts", async () => {
  const laptop = await stage.open("laptop");
  const email = newEmail();
  let code = await signUpWith(laptop, stage.cloud.url, email);
  const credentials = { cloudUrl: stage.cloud.url, email, password: PASSWORD };
  for (const path of ["roster.get", "roster.append"]) {
    const net = openFaultyFetch(fetchFromOwnAddress());
    const next = await stage.open("next", { fetch: net.fetch });
    net.loseAnswer(path);
    let back = await next.device.account.recover({ ...credentials, code });
    if (!back.ok) back = await next.device.account.recover({ ...credentials, code });
    if (!back.ok) throw new Error(`${path}: ${back.reason}`);
    expect(back.recoveryCode, path).not.toBe(code);
    code = back.recoveryCode;
    expect((await next.device.sync.now()).suspicions, path).toEqual([]);
  }
});

test("V34 a recovery code brings a device in, shows what there was, and is replaced", async () => {
  const laptop = await stage.open("laptop");
  const email = newEmail();
  const code = await signUpWith(laptop, stage.cloud.url, email);
  const id = randomUUID();
  await writeRecord(laptop, { kind: 3, id, body: { title: "Fix the date bug" } });
  await laptop.device.sync.now();
  await laptop.device.close();

  const next = await stage.open("new laptop");
  const credentials = { cloudUrl: stage.cloud.url, email, password: PASSWORD };
  const mistyped = `${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`;
  expect(await next.device.account.recover({ ...credentials, code: mistyped })).toMatchObject({ code: "bad_code" });
  const back = await next.device.account.recover({ ...credentials, code: code.toLowerCase().replaceAll("-", " ") });
  if (!back.ok) throw new Error(back.reason);
  expect(back).toMatchObject({ account: { state: "active" }, others: [{ id: expect.any(String), platform: "linux" }] });
  expect(back.recoveryCode).not.toBe(code);
  expect(JSON.parse(await waitForRecord(next, { kind: 3, id }))).toEqual({ title: "Fix the date bug" });
  const [lost] = back.others;
  expect(await next.device.devices.revoke(lost?.id ?? "")).toMatchObject({ ok: true });

  const third = await stage.open("third");
  expect(await third.device.account.recover({ ...credentials, code })).toMatchObject({ ok: false, code: "bad_code" });
  expect(await third.device.account.recover({ ...credentials, code: back.recoveryCode })).toMatchObject({ ok: true });
});

test("signing out forgets keys, tells the cloud, and the device can be paired again", async () => {
  const laptop = await stage.open("laptop");
  await signUpWith(laptop, stage.cloud.url);
  const desktop = await stage.open("desktop");
  const first = await pairWith(laptop, desktop, stage.cloud.url);
  const { notes } = await desktop.device.account.logOut({ all: false });
  expect(notes.join(" ")).toContain(`codehands devices revoke ${first}`);
  expect(await desktop.device.account.status()).toMatchObject({ state: "signed_out" });
  expect(await desktop.keys.load()).toBeNull();
  expect(await desktop.device.sync.status()).toMatchObject({ state: "off" });
  const again = await pairWith(laptop, desktop, stage.cloud.url);
  expect(again).not.toBe(first);
  const id = randomUUID();
  await writeRecord(desktop, { kind: 3, id, body: { title: "again" } });
  expect(JSON.parse(await waitForRecord(laptop, { kind: 3, id }))).toEqual({ title: "again" });
});
