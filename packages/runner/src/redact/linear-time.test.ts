import { describe, expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";
import { scanSecrets } from "./scan-secrets.ts";
import { shrinkRaw } from "./shrink-raw.ts";

const redact = createRedactor({ A_KEY: "aaaaaaa1bcd-aaaaaaa1bcd", B_PASSWORD: '"\\"\\"\\"\\n12' });

/** Eight times the text is eight times the cost; quadratic would be 64. */
const QUADRATIC = 32;
const ROUNDS = 12;

/** Processor time of this process in microseconds, so that other programs on the machine count little. */
function cost(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return Math.max(1000, used.user + used.system);
}

/**
 * How much more the long text costs than the short one: the least cost of each over some rounds. The collector may clean up
 * after everything that this process did before in the middle of one; it does not in each of twelve.
 */
function growth(long: () => void, short: () => void): number {
  let [most, least] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS && (round < 2 || most / least >= QUADRATIC); round++) {
    most = Math.min(most, cost(long));
    least = Math.min(least, cost(short));
  }
  return most / least;
}

const hostile: [string, string, string][] = [
  ["one endless token", "", "a1B"],
  ["a key without an end", "sk-ant-", "a1B-"],
  ["beginnings of keys", "", "sk-"],
  ["beginnings of keys that nearly match", "", "sk-aaaaaaaaaaaaaaaaaa1 ghp_aaaaaaaaaaaaaaaaaaaa "],
  ["beginnings of JWTs", "", "eyJaaaaaaaaaa-eyJ"],
  ["JWTs without a third part", "", "eyJaaaaaaaaaa.eyJaaaaaaaaaa,"],
  ["a JWT of many parts", "", "eyJaaaaaaaaaaa."],
  ["beginnings of private keys", "", "-----BEGIN RSA PRIVATE KEY-----"],
  ["beginnings of private keys and one quote", '{"', "-----BEGIN PRIVATE KEY-----\\n"],
  ["a private key without an end", "-----BEGIN PRIVATE KEY-----\\n", "MIIEvQIBADANBgkq\\n"],
  ["addresses without a host", "", "://a:bbbb"],
  ["an address that is one long name", "://", "a"],
  ["headers without a value", "", 'authorization": "'],
  ["backslashes", '{"a":"', "\\"],
  ["values that overlap themselves", '{"a":"', "aaaaaaa1bcd-"],
  ["runs just below the size of a blob", "", `${"aB3/".repeat(1023)} `],
];

describe("time grows with the length and not faster: 1 MiB against 128 KiB of", () => {
  test.each(hostile)("%s", (_, before, unit) => {
    const make = (size: number): string => before + unit.repeat(Math.ceil(size / unit.length));
    const [short, long] = [make(1 << 17), make(1 << 20)];
    const work = (text: string) => (): void => {
      redact(text);
      scanSecrets(text);
      shrinkRaw({ text });
    };
    work(short)();
    work(make(1 << 14))();
    expect(growth(work(long), work(short))).toBeLessThan(QUADRATIC);
  });
});

test("a line of 8 MiB, the longest there is, passes: no expression runs out of stack", () => {
  const size = 8 << 20;
  for (const text of [
    `{"a":"sk-ant-${"a1B".repeat(size / 3)}"}`,
    `-----BEGIN PRIVATE KEY-----${"MIIE".repeat(size / 4)}`,
  ]) {
    expect(redact(text).length).toBeLessThan(text.length);
    expect(scanSecrets(text)).toHaveLength(1);
  }
  expect(JSON.stringify(shrinkRaw(["aB3/4dEfGhIj".repeat(size / 12)])).length).toBeLessThan(200);
});
