import { expect, test } from "vitest";
import { runControl, runPlanted } from "./run-planted.test-kit.ts";

const NOTHING = {
  diff: [],
  "read again": [],
  snapshot: [],
  reject: [],
  undo: [],
  preflight: [],
  approve: [],
  "put away": [],
  "next start": [],
};

test("F26 G06 programs planted at every place git knows: none runs in diff, snapshot, reject, undo, approve and the next start", async () => {
  expect(await runPlanted({ pointer: "kept", hooks: "absolute" })).toEqual(NOTHING);
});

test("F26 control: plain git runs the same plants", async () => {
  const ran = await runControl({ pointer: "kept", hooks: "absolute" });
  expect(ran).toEqual(
    expect.arrayContaining([
      "diff-external",
      "embedded-bare",
      "filter-clean",
      "fsmonitor",
      "gpg",
      "hook-pre-commit",
      "hooks-path-post-index-change",
      "include-path",
      "nested-filter",
      "remote-ext",
      "ssh",
      "textconv",
    ]),
  );
});
