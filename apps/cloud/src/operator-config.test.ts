import { expect, test } from "vitest";
import { readCloudConfig, readOperatorConfig } from "./config.ts";

const HOME = "/home/you";
const placeOf = (words: string[], environment: NodeJS.ProcessEnv) => {
  const reading = readOperatorConfig(words, environment);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const { databaseUrl, dataDir } = reading.config;
  return { databaseUrl, dataDir };
};

test("the same words and the same environment lead to the database that a cloud takes", () => {
  const environments = [
    { HOME },
    { HOME, DATABASE_URL: "postgres://a/a" },
    { HOME, CODEHANDS_CLOUD_DATA_DIR: "/srv/cloud" },
  ];
  const words = [[], ["--data-dir", "/d"], ["--database-url", "postgres://b/b"], ["--data-dir", "relative"]];
  for (const environment of environments)
    for (const each of words) {
      const cloud = readCloudConfig(each, environment);
      if (!cloud.ok) throw new Error(cloud.problems.join("\n"));
      const { databaseUrl, dataDir } = cloud.config;
      expect(placeOf(each, environment)).toEqual({ databaseUrl, dataDir });
    }
});

test("words stay in their order, and settings that it does not need may be wrong", () => {
  const reading = readOperatorConfig(["ada@example.org", "--json"], { HOME, CODEHANDS_CLOUD_PORT: "many" });
  expect(reading).toMatchObject({ ok: true, config: { json: true, words: ["ada@example.org"] } });
});

test("what is wrong is named", () => {
  const environment = { HOME, DATABASE_URL: "mysql://a/a", DATABASE_URL_FILE: "/nowhere/url" };
  expect(readOperatorConfig([], environment)).toEqual({
    ok: false,
    json: false,
    problems: [
      "DATABASE_URL and DATABASE_URL_FILE are both set: keep one.",
      "DATABASE_URL must begin with postgres://.",
    ],
  });
  expect(readOperatorConfig(["--port", "1", "--json"], { HOME })).toMatchObject({ ok: false, json: true });
});
