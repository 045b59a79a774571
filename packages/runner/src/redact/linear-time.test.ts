import { describe, expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";
import { scanSecrets } from "./scan-secrets.ts";
import { shrinkRaw } from "./shrink-raw.ts";

const redact = createRedactor({ A_KEY: "aaaaaaa1bcd-aaaaaaa1bcd", B_PASSWORD: '"\\"\\"\\"\\n12' });

/** Processor time, so that other programs on the machine count little; the least of three. */
function cost(work: () => void): number {
  const rounds = [0, 1].map(() => {
    const before = process.cpuUsage();
    work();
    const used = process.cpuUsage(before);
    return used.user + used.system;
  });
  return Math.max(1000, Math.min(...rounds));
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
    // Eight times the text: eight times the cost, with room for the collector; quadratic would be 64.
    expect(cost(work(long)) / cost(work(short))).toBeLessThan(32);
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
