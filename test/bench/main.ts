/**
 * Measures speed as ratios against the bare mechanism in the same run, and prints one table.
 *
 *   pnpm bench [runner|cloud|sync|handover] [--rounds N] [--json]
 *
 * A time says little on a busy machine; a ratio of two things done in turn says more. Nothing here fails.
 */
import { parseArgs } from "node:util";
import { benchApprove } from "./bench-approve.ts";
import { benchCloud } from "./bench-cloud.ts";
import { benchListeners } from "./bench-cloud-listeners.ts";
import { benchHandover } from "./bench-handover.ts";
import { benchLines } from "./bench-lines.ts";
import { benchStart } from "./bench-start.ts";
import { benchSyncDevices } from "./bench-sync-devices.ts";
import { benchSyncLocal } from "./bench-sync-local.ts";
import type { BenchRow } from "./measure.ts";

const GROUPS: Record<string, ((rounds: number) => Promise<BenchRow[]>)[]> = {
  runner: [benchLines, benchStart, benchApprove],
  cloud: [benchCloud, benchListeners],
  sync: [benchSyncLocal, benchSyncDevices],
  handover: [benchHandover],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, json: { type: "boolean", default: false } },
});
const groups = positionals.length > 0 ? positionals : Object.keys(GROUPS);
const unknown = groups.filter((name) => GROUPS[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `error: There is no bench "${unknown.join('", "')}". Known: ${Object.keys(GROUPS).join(", ")}.\n`,
  );
  process.exit(2);
}
for (const name of groups) {
  for (const bench of GROUPS[name] ?? []) {
    for (const row of await bench(Number(values.rounds))) {
      process.stdout.write(values.json ? `${JSON.stringify(row)}\n` : `${format(row)}\n`);
    }
  }
}

function format(row: BenchRow): string {
  return `${row.name.padEnd(46)} ${row.value.padStart(22)}   goal ${row.goal.padEnd(28)} ${row.detail}`;
}
