import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";
import { pieces, seededSecrets } from "./seeded-secrets.test-kit.ts";

const secrets = seededSecrets(20_261_130, 200);
const redact = createRedactor({});

const leftIn = (text: string, secret: string): string[] => pieces(secret).filter((piece) => text.includes(piece));

describe("secrets that are known by their form", () => {
  test("C122: of 200 seeded secrets none is left in plain text", () => {
    for (const { secret, text } of secrets) expect(leftIn(redact(`before ${text} after\n`), secret)).toEqual([]);
  });

  test("C122: of 200 seeded secrets none is left in a line of JSON, which stays JSON", () => {
    for (const { secret, text } of secrets) {
      const line = JSON.stringify({ type: "user", message: { content: [{ text: `KEY=1\n${text}\nX=2` }] } });
      const masked = redact(line);
      expect(leftIn(masked.replaceAll("\\n", "\n"), secret)).toEqual([]);
      const parsed = JSON.parse(masked) as { type: string; message: { content: { text: string }[] } };
      expect(parsed.type).toBe("user");
      expect(parsed.message.content[0]?.text).toMatch(/^KEY=1\n[^]*\[redacted [\w-]+\][^]*\nX=2$/);
    }
  });

  test("of 200 seeded secrets none is left in JSON inside JSON", () => {
    for (const { secret, text } of secrets) {
      const masked = redact(JSON.stringify({ output: JSON.stringify({ stdout: `\t${text}` }) }));
      expect(leftIn(masked.replaceAll("\\\\n", "\n"), secret)).toEqual([]);
      expect(JSON.parse((JSON.parse(masked) as { output: string }).output)).toHaveProperty("stdout");
    }
  });

  test("a private key whose end was cut off is masked, and so is one with line numbers before its lines", () => {
    const key = secrets.find(({ text }) => text.includes("PRIVATE KEY"));
    const lines = (key?.text ?? "").split("\n").slice(0, -1);
    const body = lines.slice(1);
    expect(body.filter((line) => redact(lines.join("\n")).includes(line))).toEqual([]);
    const numbered = lines.map((line, index) => `${index + 1}→${line}`).join("\n");
    const masked = redact(JSON.stringify({ text: numbered, after: "kept" }));
    expect(body.filter((line) => masked.includes(line))).toEqual([]);
    expect(JSON.parse(masked)).toMatchObject({ after: "kept" });
  });
});

describe("secrets of the child's environment", () => {
  const env = {
    PATH: "/usr/local/bin:/usr/bin",
    HOME: "/home/somebody/with-a-long-name-1",
    ANTHROPIC_MODEL: "claude-sonnet-5-5-20261101",
    SERVICE_PASSWORD: 'correct "horse"\\battery/ü1',
    DEPLOY_KEY: "-----BEGIN X-----\nQ2zvT9xLmN4pR7sW\nK8jH3fD6gB1cV5nM\n-----END X-----",
    PIN_KEY: "9081726354",
    HTTPS_PROXY: "http://me:p%40ss-Word77@proxy.internal:8080",
    SHORT_TOKEN: "abc1234",
    OPAQUE: "Zx81qTfP0aLk33mNwVyB",
  };
  const redactEnv = createRedactor(env);

  test("C123: values are masked by name or because they look random; open and short ones stay", () => {
    const dump = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const masked = redactEnv(dump.join("\n"));
    for (const name of ["SERVICE_PASSWORD", "DEPLOY_KEY", "PIN_KEY", "OPAQUE"] as const) {
      expect(masked).not.toContain(env[name]);
      expect(masked).toContain(`${name}=[redacted ${name}]`);
    }
    for (const name of ["PATH", "HOME", "ANTHROPIC_MODEL", "SHORT_TOKEN"] as const) expect(masked).toContain(env[name]);
    expect(masked).not.toContain("ss-Word77");
  });

  test.each([
    ["quoted", (text: string) => JSON.stringify({ text })],
    ["quoted twice", (text: string) => JSON.stringify({ text: JSON.stringify({ text }) })],
    ["with escaped slashes", (text: string) => JSON.stringify({ text }).replaceAll("/", "\\/")],
    ["in ASCII alone", (text: string) => JSON.stringify({ text }).replaceAll("ü", "\\u00fc")],
    ["in an address", (text: string) => JSON.stringify({ text: encodeURIComponent(text) })],
  ])("C123: a value with quotes, backslash, slash and umlaut is masked when it is written %s", (_, write) => {
    const masked = redactEnv(write(env.SERVICE_PASSWORD));
    expect(masked).toContain("[redacted SERVICE_PASSWORD]");
    expect(masked).not.toMatch(/horse|battery/);
    expect(JSON.parse(masked)).toHaveProperty("text");
  });

  test("the values of headers in a variable are masked without their names", () => {
    const redactHeaders = createRedactor({
      ANTHROPIC_CUSTOM_HEADERS: "x-team: zebra-crossing\nx-auth: Bearer open-sesame",
    });
    expect(redactHeaders("x-team zebra-crossing, x-auth open-sesame")).toBe(
      "x-team [redacted ANTHROPIC_CUSTOM_HEADERS], x-auth [redacted ANTHROPIC_CUSTOM_HEADERS]",
    );
  });

  test("one line alone of a value of several lines is masked", () => {
    expect(redactEnv("cat: K8jH3fD6gB1cV5nM")).toBe("cat: [redacted DEPLOY_KEY]");
  });

  test("a secret number that stands as a number in JSON loses its digits and the line stays JSON", () => {
    const masked = redactEnv('{"pin":9081726354,"list":[-9081726354.5e3],"text":"9081726354"}');
    expect(JSON.parse(masked)).toEqual({ pin: 1111111111, list: [-1111111111.5e3], text: "[redacted PIN_KEY]" });
  });

  test("what looks like a value but begins inside an escape is left, so that the line stays JSON", () => {
    const tricky = createRedactor({ A_KEY: "nothing-1", B_KEY: "00e9abcdef12", C_KEY: "u00e9xyz" });
    const line = JSON.stringify({ a: "\nothing-1", c: "k" }).replace("k", "\\u00e9abcdef12 \\u00e9xyz");
    expect(tricky(line)).toBe(line);
    expect(tricky(JSON.stringify({ a: "\nnothing-1" }))).toBe('{"a":"\\n[redacted A_KEY]"}');
  });
});

test("any JSON value stays JSON with its shape, whatever secrets are woven into it", () => {
  const values = ['x"y\\z/1234', "nabcdef12", "12345678", "truefalse9", "},{][:1,2", "0e9b0e9b77"];
  const weave = createRedactor(Object.fromEntries(values.map((value, index) => [`V${index}_KEY`, value])));
  const piece = fc.oneof(fc.constantFrom(...values, ...secrets.map(({ text }) => text)), fc.string({ unit: "binary" }));
  const text = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(""));
  const leaf = fc.oneof(text, fc.double(), fc.constantFrom(12345678, 12, 1234567890, true, null));
  const json = fc.letrec((tie) => ({
    node: fc.oneof({ maxDepth: 3 }, leaf, fc.array(tie("node")), fc.dictionary(text, tie("node"))),
  })).node;
  const shape = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shape)
      : typeof value === "object" && value
        ? Object.values(value).map(shape)
        : typeof value;
  fc.assert(
    fc.property(json, (value) => {
      const line = JSON.stringify([value]);
      const masked = weave(line);
      const before = JSON.parse(line) as unknown;
      // Two keys may become one once both are masked: then only being JSON counts.
      const after = JSON.parse(masked) as unknown;
      if (!masked.includes("[redacted")) expect(shape(after)).toEqual(shape(before));
      for (const secret of values.slice(0, 1)) expect(masked).not.toContain(JSON.stringify(secret).slice(1, -1));
    }),
    { numRuns: 400 },
  );
});
