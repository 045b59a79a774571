import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TailItem } from "./process-types.ts";
import { tailOutput } from "./tail-output.ts";

let runDir = "";
let over = false;
const isOver = async (): Promise<boolean> => over;

beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), "codehands-tail-"));
  over = false;
});
afterEach(() => rmSync(runDir, { recursive: true, force: true }));

const out = (): string => `${runDir}/out.ndjson`;
const end = (): void => {
  over = true;
  writeFileSync(`${runDir}/exit`, "000\n");
};
const show = (item: TailItem): string =>
  `${item.kind} ${Buffer.isBuffer((item as { bytes?: unknown }).bytes) ? (item as { bytes: Buffer }).bytes.toString() : ""} ${item.endOffset}`;

async function all(fromOffset = 0): Promise<string[]> {
  const items: string[] = [];
  for await (const item of tailOutput({ runDir, fromOffset, isOver })) items.push(show(item));
  return items;
}

describe("tailOutput", () => {
  test("lines come while they are written, each once, also when a character is cut in two", async () => {
    writeFileSync(out(), "first\n");
    const tail = tailOutput({ runDir, fromOffset: 0, isOver });
    expect(show((await tail.next()).value as TailItem)).toBe("line first 6");
    const text = Buffer.from("zweite ü\n");
    const next = tail.next();
    appendFileSync(out(), text.subarray(0, 8));
    appendFileSync(out(), text.subarray(8));
    expect(show((await next).value as TailItem)).toBe("line zweite ü 16");
    const last = tail.next();
    end();
    expect((await last).done).toBe(true);
  });

  test("F30: CRLF, NUL, a mark at the start, empty lines and a part without a newline at the end all come out", async () => {
    writeFileSync(out(), "\uFEFFa\r\n\n\0\nrest");
    end();
    expect(await all()).toEqual(["line \uFEFFa\r 6", "line  7", "line \0 9", "rest rest 13"]);
  });

  test("C093: from a stored offset a line that was cut is read whole", async () => {
    writeFileSync(out(), "one\ntw");
    const tail = tailOutput({ runDir, fromOffset: 0, isOver });
    const stored = ((await tail.next()).value as TailItem).endOffset;
    await tail.return();
    appendFileSync(out(), "o\nthree\n");
    end();
    expect(await all(stored)).toEqual(["line two 8", "line three 14"]);
  });

  test("the folder and the file may come later", async () => {
    rmSync(runDir, { recursive: true });
    const tail = tailOutput({ runDir, fromOffset: 0, isOver });
    const next = tail.next();
    mkdirSync(runDir);
    writeFileSync(out(), "late\n");
    expect(show((await next).value as TailItem)).toBe("line late 5");
    await tail.return();
  });

  test("a run that is over and never wrote ends at once", async () => {
    over = true;
    expect(await all()).toEqual([]);
  });

  test("what was written up to the end is drained; what a leftover writes after it is not waited for", async () => {
    writeFileSync(out(), "a\n".repeat(40_000));
    end();
    let count = 0;
    for await (const item of tailOutput({ runDir, fromOffset: 0, isOver })) {
      count += item.kind === "line" ? 1 : 0;
      // A process that goes on writing as fast as it is read.
      appendFileSync(out(), "late\n");
    }
    expect(count).toBeGreaterThanOrEqual(40_000);
    expect(count).toBeLessThan(200_000);
  });

  test("a file that became shorter is told once, and reading goes on at its new end", async () => {
    writeFileSync(out(), "one\ntwo\nthr");
    const tail = tailOutput({ runDir, fromOffset: 0, isOver });
    expect(show((await tail.next()).value as TailItem)).toBe("line one 4");
    expect(show((await tail.next()).value as TailItem)).toBe("line two 8");
    const shrunk = tail.next();
    truncateSync(out(), 2);
    expect(show((await shrunk).value as TailItem)).toBe("shrunk  2");
    const next = tail.next();
    appendFileSync(out(), "new\n");
    expect(show((await next).value as TailItem)).toBe("line new 6");
    await tail.return();
  });

  test("an abort ends the waiting", async () => {
    writeFileSync(out(), "");
    const stop = new AbortController();
    const tail = tailOutput({ runDir, fromOffset: 0, isOver, signal: stop.signal });
    const next = tail.next();
    stop.abort();
    expect((await next).done).toBe(true);
  });

  test("C012: a line of 300 KB and C014: one of 6 MB are parsed whole; C015: one of 20 MB is passed over, three more and a result follow", async () => {
    const line = (size: number): string => JSON.stringify({ text: "x".repeat(size) });
    writeFileSync(
      out(),
      [line(300_000), line(6_000_000), line(20_000_000), "1", "2", "3", '{"type":"result"}', ""].join("\n"),
    );
    end();
    const kinds: [string, number][] = [];
    for await (const item of tailOutput({ runDir, fromOffset: 0, isOver })) {
      kinds.push([item.kind, item.kind === "line" ? item.bytes.length : item.kind === "oversize" ? item.bytes : 0]);
      if (item.kind === "line") JSON.parse(item.bytes.toString());
    }
    const [first, second, third] = [300_011, 6_000_011, 20_000_011];
    expect(kinds).toEqual([
      ["line", first],
      ["line", second],
      ["oversize", third],
      ["line", 1],
      ["line", 1],
      ["line", 1],
      ["line", 17],
    ]);
  });

  test("other work gets its turn while a large output is read", async () => {
    writeFileSync(out(), "x".repeat(1000).concat("\n").repeat(10_000));
    end();
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    for await (const item of tailOutput({ runDir, fromOffset: 0, isOver })) expect(item.kind).toBe("line");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });
});
