import { expect, test } from "vitest";
import { findPaths } from "./find-paths.ts";

test.each([
  ["edited src/a.ts and src/b.ts, then src/a.ts", ["src/a.ts", "src/b.ts"]],
  ["see (lib/x.py:12:3).", ["lib/x.py"]],
  ["`./pkg/main.go`", ["pkg/main.go"]],
  ["src\\win\\a.cs", ["src/win/a.cs"]],
  ["main.rs", ["main.rs"]],
  ["docs/日本.md", ["docs/日本.md"]],
  ["a/b.test.tsx!", ["a/b.test.tsx"]],
  ["wired them into the /authorize handler", []],
  ["the verifier/challenge helpers and/or e.g. i.e. v1.2.3", []],
  ["Node.js, Next.js and example.com", []],
  ["https://example.com/x.js", []],
  ["1.0/2.0 50% ... . / //", []],
])("D-HO-3 %j names %j", (text, paths) => expect(findPaths(text)).toEqual(paths));
