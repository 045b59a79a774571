import { randomUUID } from "node:crypto";
import { RECORD_KINDS } from "@codehands/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { foundAccount, openTestCloud, postCall, type TestCloud } from "../open-cloud.test-kit.ts";
import { makeRecord } from "../sync/sealed-items.test-kit.ts";
import { dumpDatabase, readServerFiles } from "./dump-database.test-kit.ts";
import { playPlantedStory } from "./planted-story.test-kit.ts";
import { type Haystack, Plants, WordFinder } from "./planted-words.test-kit.ts";
import { SealingDevice } from "./sealing-device.test-kit.ts";

let cloud: TestCloud;
const began = new Date();
beforeAll(async () => {
  cloud = await openTestCloud();
});
afterAll(() => cloud.close());

const findAll = (finder: WordFinder, haystacks: readonly Haystack[]) => haystacks.flatMap((each) => finder.find(each));
const logged = (): Haystack[] => cloud.log.map((text) => ({ place: "log", bytes: Buffer.from(text) }));

test("G17 of 200 planted secrets none can be read in the database, its files, its journal or the log", async () => {
  const plants = new Plants();
  const { account, laptop, read, pokes } = await playPlantedStory(cloud, plants);
  expect(plants.all.length).toBeGreaterThanOrEqual(200);
  expect(new Set(plants.all.map(({ bytes }) => bytes.toString("hex"))).size).toBe(plants.all.length);
  // They really were in what was sent: the other device opened it.
  const opened = plants.all.filter(({ bytes }) => read.includes(bytes.toString()));
  expect(opened.length).toBeGreaterThan(150);
  expect(pokes.length).toBeGreaterThan(0);
  // What a broken program sends in clear by mistake, and is refused, is not kept either.
  const secret = plants.text("sent in clear and refused");
  const headers = { authorization: `Bearer ${laptop.token}` };
  for (const input of [{ epoch: secret, records: [{ body: secret }] }, secret]) {
    const answer = await postCall(cloud.url, { path: "sync.push", input, headers });
    expect(answer.status).toBe(400);
  }

  const { tables, cells } = await dumpDatabase(cloud.sql);
  const files = await readServerFiles(cloud.sql, began);
  expect(tables).toEqual(expect.arrayContaining(["public.records", "public.pairings", "pg_catalog.pg_statistic"]));
  expect(cloud.log.length).toBeGreaterThan(20);
  const finder = new WordFinder(plants.all);
  expect(findAll(finder, [...cells, ...logged()])).toEqual([]);
  const longOnes = new WordFinder(plants.all.filter(({ bytes }) => bytes.length > 6));
  expect(findAll(longOnes, files)).toEqual([]);

  // What the cloud is told in clear is found, in each of the three.
  const known = new Plants();
  known.keep("e-mail", account.person.email);
  const found = findAll(new WordFinder(known.all), [...cells, ...logged(), ...files]).map(({ place }) => place);
  expect(found).toContain("public.auth_users.email");
  expect(found.filter((place) => place.startsWith("base/"))).not.toEqual([]);
  expect(found.filter((place) => place.startsWith("pg_wal/"))).not.toEqual([]);
  expect(found).not.toContain("log");
});

test("a record's id made of a key, which has no version bits, crosses the wire", async () => {
  const account = await foundAccount(cloud.url);
  const device = await SealingDevice.open(account, account.device);
  const id = "00112233-4455-0677-0899-aabbccddeeff";
  await device.push({ records: [{ kind: RECORD_KINDS.repo, id, body: { name: "of a derived id" } }] });
  expect(await device.readAll()).toContain("of a derived id");
});

test("the search sees a planted word in any spelling, and in what was deleted", async () => {
  const plants = new Plants();
  const { laptop } = await playPlantedStory(cloud, new Plants());
  const word = plants.text("not sealed at all");
  const bytes = Buffer.from(word);
  const spellings = {
    bytes,
    hex: Buffer.from(bytes.toString("hex")),
    HEX: Buffer.from(bytes.toString("hex").toUpperCase()),
    base64url: Buffer.from(bytes.toString("base64url")),
    base64: Buffer.from(Buffer.concat([Buffer.from("x"), bytes]).toString("base64")),
    "utf-16le": Buffer.from(word, "utf16le"),
    "utf-16be": Buffer.from(word, "utf16le").swap16(),
    percent: Buffer.from(encodeURIComponent(word)),
  };
  for (const clear of Object.values(spellings)) {
    const sealed = makeRecord({ writer: laptop.id, kind: RECORD_KINDS.task, id: randomUUID(), keyEpoch: 2 });
    const body = Buffer.concat([Buffer.from(sealed.body, "base64url"), clear, Buffer.alloc(80)]).toString("base64url");
    await laptop.pushRaw({ ...sealed, body });
  }
  const find = async () => findAll(new WordFinder(plants.all), (await dumpDatabase(cloud.sql)).cells);
  const found = (await find()).filter(({ place }) => place === "public.records.body");
  expect(new Set(found.map(({ spelling }) => spelling))).toEqual(new Set(Object.keys(spellings)));
  await cloud.sql`delete from records where writer = ${laptop.id}`;
  expect(await find()).toEqual([]);
  const files = await readServerFiles(cloud.sql, began);
  expect(findAll(new WordFinder(plants.all), files)).toContainEqual(expect.objectContaining({ spelling: "bytes" }));
});

test("digits count where they stand alone, not inside a longer number", () => {
  const plants = new Plants();
  plants.keep("digits", "482913");
  const finder = new WordFinder(plants.all);
  const isFound = (text: string) => finder.find({ place: "here", bytes: Buffer.from(text) }).length > 0;
  const inside = ["2026-01-01 00:00:00.482913+00", "1482913", "4829130", "a482913"];
  expect(inside.filter(isFound)).toEqual([]);
  const alone = ["482913", '"482913"', "It was 482913.", Buffer.from("482913").toString("base64url")];
  expect(alone.filter(isFound)).toEqual(alone);
});
