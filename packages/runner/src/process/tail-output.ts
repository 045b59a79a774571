import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { OutputWaker } from "./output-waker.ts";
import type { TailItem } from "./process-types.ts";
import { LineSplitter } from "./split-lines.ts";

const READS_PER_TURN = 16;

/** Shared by all tails: what is read is copied before anything else can run. */
const shared = Buffer.allocUnsafe(64 * 1024);

/**
 * Reads the output of a run line by line from a byte offset, at the consumer's pace, while it is being written. Ends when
 * `isOver` says that the run has ended and all that was written before is handed over, or when the signal is aborted.
 * No line is lost or doubled; memory does not grow with the output.
 */
export async function* tailOutput(o: {
  runDir: string;
  fromOffset: number;
  isOver: () => Promise<boolean>;
  signal?: AbortSignal;
}): AsyncGenerator<TailItem, void, undefined> {
  const splitter = new LineSplitter(o.fromOffset);
  const waker = new OutputWaker(o.runDir, o.signal);
  let fd: number | null = null;
  /** The size of the output once the run was over; what leftovers write after that is not waited for. */
  let limit: number | null = null;
  let check = true;
  let reads = 0;
  try {
    while (o.signal?.aborted !== true) {
      fd ??= openOutput(o.runDir);
      if (limit === null && check && (await o.isOver())) {
        fd ??= openOutput(o.runDir);
        limit = fd === null ? 0 : fstatSync(fd).size;
      }
      check = false;
      const most = Math.min(shared.length, (limit ?? Number.POSITIVE_INFINITY) - splitter.position);
      const size = fd === null || most <= 0 ? 0 : readSync(fd, shared, 0, most, splitter.position);
      if (size > 0) {
        // Not yield*: in an async generator that takes three turns of the queue more for each line.
        for (const item of splitter.push(shared.subarray(0, size))) yield item;
        reads += 1;
        if (reads % READS_PER_TURN > 0) continue;
        await nextTurn();
        check = true;
        continue;
      }
      const length = fd === null ? splitter.position : fstatSync(fd).size;
      if (length < splitter.position) {
        splitter.restart(length);
        yield { kind: "shrunk", endOffset: length };
      } else if (limit !== null) {
        return yield* splitter.end();
      } else {
        // Whether the run is over is asked when its exit file changes, once a second, and once a turn of a long reading.
        check = (await waker.next()) === "check";
      }
    }
  } finally {
    waker.close();
    if (fd !== null) closeSync(fd);
  }
}

/** Null while the file is not there: the spawn may come a moment later. */
function openOutput(runDir: string): number | null {
  try {
    return openSync(`${runDir}/out.ndjson`, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
