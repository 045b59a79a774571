// Writes numbered lines without pause, each in two pieces cut at any byte, until the given file is there. Its last line
// tells how many there were, and its exit code follows from that. It ends by itself when the folder is gone.
import { existsSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const finish = process.argv[2] ?? "";
const idle = new Int32Array(new SharedArrayBuffer(4));
const write = (line) => {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  const cut = 1 + ((line.index * 7919) % (bytes.length - 1));
  writeSync(1, bytes.subarray(0, cut));
  Atomics.wait(idle, 0, 0, 1);
  writeSync(1, bytes.subarray(cut));
};

let index = 0;
for (; index < 200 || (!existsSync(finish) && existsSync(dirname(finish))); index += 1) {
  write({ index, text: "ü€😀".repeat(1 + (index % 5)) });
}
write({ index, total: index + 1 });
process.exit((index + 1) % 200);
