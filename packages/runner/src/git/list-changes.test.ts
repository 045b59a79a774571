import { expect, test } from "vitest";
import { changedBetween } from "./fingerprint.ts";
import { parseNumstat, parseRaw } from "./list-changes.ts";
import { patchLines } from "./patch-lines.ts";
import { identityFrom, OUR_IDENTITY, parseConfigList } from "./read-person-config.ts";

const Z = "0".repeat(40);

test("parseRaw reads every kind of entry and hands back what follows", () => {
  const fields = [
    `:100644 100644 a1 b1 M`,
    "m.txt",
    `:100644 100755 a2 b2 R087`,
    "old",
    "new",
    `:000000 120000 ${Z} b3 A`,
    ":colon",
    "1\t2\tm.txt",
  ];
  const { changes, rest } = parseRaw(fields);
  expect(changes.map(({ status, path, oldPath }) => [status, path, oldPath])).toEqual([
    ["M", "m.txt", undefined],
    ["R", "new", "old"],
    ["A", ":colon", undefined],
  ]);
  expect(rest).toEqual(["1\t2\tm.txt"]);
});

test("parseNumstat: text, binary, a tab in a name, a moved file", () => {
  const counts = parseNumstat(["3\t1\ta", "-\t-\tb.bin", "1\t0\twith\ttab", "0\t4\t", "from", "to"]);
  expect(Object.fromEntries(counts)).toEqual({
    a: { additions: 3, deletions: 1, binary: false },
    "b.bin": { additions: 0, deletions: 0, binary: true },
    "with\ttab": { additions: 1, deletions: 0, binary: false },
    to: { additions: 0, deletions: 4, binary: false },
  });
});

test("patchLines counts added lines, keeps every byte however the chunks are cut, and is not fooled by content", async () => {
  const patch = [
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "@@ -1,2 +1,3 @@ f",
    " keep",
    "-diff --git a/evil b/evil",
    "+@@ -1 +1 @@",
    "++++ b/evil",
    "\\ No newline at end of file",
    "diff --git a/y b/y",
    "@@ -0,0 +7 @@",
    "+z\r",
    "",
  ].join("\n");
  for (const size of [1, 3, 1000]) {
    const chunks = async function* () {
      const bytes = Buffer.from(patch);
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    };
    const lines = [];
    for await (const line of patchLines(chunks())) lines.push(line);
    expect(Buffer.concat(lines.map(({ bytes }) => bytes)).toString()).toBe(patch);
    expect(lines.filter(({ kind }) => kind === "file")).toHaveLength(2);
    expect(lines.flatMap((line) => (line.kind === "added" ? [[line.line, line.bytes.toString().trim()]] : []))).toEqual(
      [
        [2, "+@@ -1 +1 @@"],
        [3, "++++ b/evil"],
        [7, "+z"],
      ],
    );
  }
});

test("the person's identity: as git would write it, ours when a part is missing", () => {
  const of = (text: string) => identityFrom(parseConfigList(text));
  expect(of("user.name\nPat <x>\0user.email\n pat@example.com \0")).toEqual({
    name: "Pat x",
    email: "pat@example.com",
  });
  expect(of("user.name\nPat\0user.email\np@e.com\0author.name\nAuthor\0")).toEqual({
    name: "Author",
    email: "p@e.com",
  });
  expect(of("user.name\nPat\0")).toEqual(OUR_IDENTITY);
  expect(of("user.name\n<>\0user.email\np@e.com\0")).toEqual(OUR_IDENTITY);
  expect(parseConfigList("core.bare\0a.b\nx\ny\0a.b\nlast\0").get("core.bare")).toBe("true");
});

test("changedBetween names what came, went and changed", () => {
  expect(changedBetween({ a: "1", b: "1", c: "1" }, { b: "2", c: "1", d: "1" })).toEqual(["a", "b", "d"]);
});
