import { createHash } from "node:crypto";
import type { Diff } from "@codehands/contracts";
import { RECORD_KINDS } from "@codehands/contracts";
import { createRedactor } from "@codehands/runner";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollectingHome } from "../sync/collecting-home.test-kit.ts";
import { type ChangeSealer, createChangeSealer } from "./change-sealer.ts";

let home: ReturnType<typeof openCollectingHome>;
let sealer: ChangeSealer;
let diffs: Map<string, Diff | null>;
let asked: string[];
let signedIn: boolean;
const SECRET = "ghp_x7Kq9fT2mZp4LwB8cRvN1sYdH6uJ3eGaQ5oX";

beforeEach(() => {
  home = openCollectingHome();
  diffs = new Map();
  asked = [];
  signedIn = true;
  sealer = createChangeSealer({
    store: home.store,
    device: home.device,
    bus: home.bus,
    log: {
      warn: (fields) => {
        throw new Error(JSON.stringify(fields));
      },
    },
    redact: createRedactor({}),
    writing: () => (signedIn ? home.writing : null),
    diff: async (id) => {
      asked.push(id);
      return diffs.get(id) ?? null;
    },
    changed: () => {},
  });
});
afterEach(async () => {
  await sealer.close();
  home.close();
});

function diffOf(tree: string, patch = `diff --git a/a b/a\n+const token = "${SECRET}";\n`): Diff {
  const file = {
    path: "a",
    status: "M",
    additions: 1,
    deletions: 0,
    binary: false,
    generated: false,
    bytes: 9,
  } as const;
  const none = { ignored: [], nested: [], secrets: [{ path: "a", line: 1, rule: "github" }], configChanged: [] };
  return { patch, stat: " a | 1 +", treeId: tree.repeat(40), files: [file], ...none };
}

async function finished(tree = "a"): Promise<string> {
  const id = home.add();
  diffs.set(id, diffOf(tree));
  home.happen(id, "task.started", "task.finished");
  await sealer.idle();
  return id;
}

async function sealed(id: string) {
  const body = (await home.record(RECORD_KINDS.change, id))?.body;
  if (body === undefined || body === null) return null;
  const record = JSON.parse(body) as {
    treeId: string;
    streamId: string;
    chunks: number;
    bytes: number;
    sha256: string;
  };
  const lines = await home.device.eventsOf({ streamId: record.streamId, after: 0, limit: 1_000 });
  const text = lines.map(({ line }) => (JSON.parse(line) as { text: string }).text).join("");
  return { record, lines, text };
}

describe("the sealed change of a session", () => {
  it("is a log of its own, named by the session's change record, with secrets masked", async () => {
    const id = await finished();
    const found = await sealed(id);
    expect(found?.record).toMatchObject({ treeId: "a".repeat(40), chunks: found?.lines.length, truncated: false });
    expect(found?.record.sha256).toBe(
      createHash("sha256")
        .update(found?.text ?? "")
        .digest("hex"),
    );
    const change = JSON.parse(found?.text ?? "") as Diff & { baseCommit: string | null };
    expect(change).toMatchObject({
      treeId: "a".repeat(40),
      baseCommit: null,
      stat: " a | 1 +",
      files: [{ path: "a" }],
    });
    expect(change.patch).toContain("[redacted");
    expect(found?.text).not.toContain(SECRET);
    expect(await home.device.logOf(found?.record.streamId ?? "")).toMatchObject({ kind: 2, mine: true, dead: false });
  });

  it("is cut into slices that fit, and a person's session never waits for it", async () => {
    const id = home.add();
    diffs.set(id, diffOf("c", `diff --git a/a b/a\n${"+é line\n".repeat(200_000)}`));
    home.happen(id, "task.started", "task.finished");
    expect(await sealed(id)).toBeNull();
    await sealer.idle();
    const found = await sealed(id);
    expect(found?.lines.length).toBeGreaterThan(2);
    for (const { line } of found?.lines ?? []) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(512 * 1024);
    expect(JSON.parse(found?.text ?? "").patch).toContain("+é line\n+é line");
  });

  it("is sealed anew only when the tree is another one, and the two newest are kept", async () => {
    const id = await finished("a");
    const first = await sealed(id);
    home.bus.poke(id);
    sealer.saw(id, "a".repeat(40));
    await sealer.idle();
    expect((await sealed(id))?.record.streamId).toBe(first?.record.streamId);
    for (const tree of ["b", "c"]) {
      diffs.set(id, diffOf(tree));
      sealer.saw(id, tree.repeat(40));
      await sealer.idle();
    }
    const third = await sealed(id);
    expect(third?.record.treeId).toBe("c".repeat(40));
    const streams = home.store.prepare("select distinct stream_id from replica_events").pluck().all();
    expect(streams).toHaveLength(2);
    expect(streams).toContain(third?.record.streamId);
    expect(await home.device.logOf(first?.record.streamId ?? "")).toMatchObject({ dead: true, lastSeq: 0 });
  });

  it("a stopped or failed session has one too, a running one has none", async () => {
    const id = home.add();
    diffs.set(id, diffOf("d"));
    home.happen(id, "task.started", "message");
    await sealer.idle();
    expect(asked).toEqual([]);
    home.happen(id, "task.stopped");
    await sealer.idle();
    expect((await sealed(id))?.record.treeId).toBe("d".repeat(40));
    const gone = home.add();
    home.happen(gone, "task.started", "task.failed");
    await sealer.idle();
    expect(await sealed(gone)).toBeNull();
    // Nothing of it is left: it is not asked for again and again.
    const before = asked.length;
    home.bus.poke(gone);
    await sealer.idle();
    expect(asked).toHaveLength(before);
  });

  it("waits for the sign-in, and is made up for then", async () => {
    signedIn = false;
    const id = await finished();
    expect(asked).toEqual([]);
    signedIn = true;
    sealer.catchUp();
    await sealer.idle();
    expect(await sealed(id)).not.toBeNull();
    sealer.catchUp();
    await sealer.idle();
    expect(asked).toEqual([id]);
  });

  it("V22 what an account has heard of under an id that this device had before is left alone", async () => {
    signedIn = false;
    const [before, own] = [await finished("a"), await finished("b")];
    home.store.prepare("update sessions set device_id = ? where id = ?").run(crypto.randomUUID(), before);
    signedIn = true;
    sealer.catchUp();
    sealer.saw(before, "a".repeat(40));
    sealer.look(before);
    await sealer.idle();
    expect(await sealed(before)).toBeNull();
    expect(asked).toEqual([own]);
  });
});
