import type { Rule } from "./rules.ts";
import type { Step } from "./script.ts";

const go = (machine: number): Step => ["go", 1, 1, machine];
const times = (n: number, step: Step): Step[] => Array.from({ length: n }, () => step);

/** Scripts by hand, for rules that random scripts reach too rarely. */
export const SCENARIOS: Partial<Record<Rule, readonly Step[]>> = {
  // A record that the cloud lost, and a lineage reset that a purge interrupts: as "purged" it would sweep the record.
  sticky: [
    ...times(2, go(0)),
    ...times(2, go(1)),
    ["cbackup", 0, 0, 0],
    ["pref", 0, 0, 0],
    go(0),
    ["crestore", 0, 0, 0],
    ...times(4, ["session", 0, 0, 1]),
    ...times(8, go(1)),
    ["crash", 0, 0, 0],
    ["start", 0, 0, 0],
    ...times(2, go(0)),
    ["pref", 1, 0, 1],
    ...times(3, go(1)),
    ["purge", 0, 0, 1],
  ],
  // A command is withdrawn between the target's pull and its claim, behind more rows than the claim's answer shows.
  claimPassed: [
    ...times(2, go(0)),
    ["session", 0, 0, 0],
    go(0),
    ...times(2, go(1)),
    ["command", 0, 1, 1],
    ...times(2, go(1)),
    ["pref", 0, 0, 0],
    go(0),
    ...times(2, ["session", 0, 0, 1]),
    ...times(2, go(1)),
    ["withdraw", 0, 0, 1],
    go(1),
    go(0),
  ],
  // A process dies between the answer to its push and the page, then the cloud is put back silently: the cursor is fine.
  top: [
    ...times(2, go(0)),
    ["cbackup", 0, 0, 0],
    ["session", 0, 0, 0],
    ["go", 0, 2, 0],
    ["crestoreSilent", 0, 0, 0],
    ["start", 0, 0, 0],
  ],
  // An event that was acknowledged, and that a restored cloud lost; then the key changes before it is sent again.
  rechainFinal: [
    ...times(2, go(0)),
    ["cbackup", 0, 0, 0],
    ["session", 0, 0, 0],
    go(0),
    ["crestore", 0, 0, 0],
    ["rechain", 0, 0, 0],
    ["session", 0, 0, 0],
    ...times(4, go(0)),
  ],
  // A claim that was never sent, while a copy of the device claimed and ran the command; then the first is adopted.
  rowWins: [
    ...times(2, go(0)),
    ["session", 0, 0, 0],
    go(0),
    ["command", 0, 1, 0],
    go(0),
    ["clone", 0, 0, 0],
    ...times(4, go(2)),
    ...times(2, go(0)),
    ["adopt", 0, 0, 0],
    ...times(4, go(0)),
  ],
};
