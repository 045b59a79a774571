import { readSections } from "./read-sections.ts";

/** One line: `<goal> — N done, M next, K open`. It never throws. */
export function summarize(packet: unknown): string {
  const { goal, progress, next_steps: next, open_questions: open } = readSections(packet);
  const name = goal.trim().replace(/\s+/g, " ") || "(no goal)";
  return `${name} — ${progress.length} done, ${next.length} next, ${open.length} open`;
}
