import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "./workspace.test-kit.ts";

const NOBODY = 65534;

test("F28 files and folders that we may not read are told and never counted as deleted; reject ends with the leftover, and later moves it", async () => {
  const root = await tempFolder();
  const node = [
    "--conditions=source",
    "--import",
    "tsx",
    fileURLToPath(new URL("./closed-files.test-kit.ts", import.meta.url)),
    root,
  ];
  const isRoot = process.getuid?.() === 0;
  // To root no file is closed.
  if (isRoot) chownSync(root, NOBODY, NOBODY);
  const output = execFileSync(process.execPath, node, {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    env: { PATH: process.env["PATH"], HOME: root, TMPDIR: root },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  expect(JSON.parse(output.toString())).toEqual({
    refused: "spawn_failed",
    files: ["a.txt"],
    special: ["closed/", "closed/tracked.txt", "listed/tracked.txt", "locked.txt", "new/"],
    stuck: { folder: null, isLeftover: true },
    moved: { hasFolder: true, leftover: null },
    restored: "folder",
  });
});
