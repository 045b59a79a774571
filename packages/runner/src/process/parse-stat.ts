import type { ProcessFacts } from "./host.ts";

/** Reads a line of `/proc/<pid>/stat`; null when it is not one. The program's name may hold blanks and brackets. */
export function parseStat(text: string): ProcessFacts | null {
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", ppid = "", pgid = ""] = fields;
  const startTicks = fields[19];
  if (Number.isNaN(pid) || startTicks === undefined) return null;
  const cpuTicks = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  return { pid, ppid: Number(ppid), pgid: Number(pgid), startTicks, state, cpuTicks };
}
