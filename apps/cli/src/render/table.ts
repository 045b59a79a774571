import { cutTo, displayWidth, padTo } from "../terminal/fit.ts";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";

export interface Column {
  title: string;
  /** Takes what is left over and is cut first; one column at most. */
  grows?: boolean;
}

export interface Row {
  /** Plain harmless text, one per column. */
  cells: string[];
  /** Colours a finished cell; widths were counted before. */
  paint?: (cell: string, column: number) => string;
}

const GAP = "  ";
const LEAST = 12;

/** Lays rows out in columns, two blanks apart. On a terminal the growing column is cut so that a row fits. */
export function renderTable(columns: Column[], rows: Row[], facts: TerminalFacts): string[] {
  const widths = columns.map((column, at) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row.cells[at] ?? ""))),
  );
  const growing = columns.findIndex((column) => column.grows === true);
  if (facts.width !== null && growing >= 0) {
    const taken = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1);
    const over = taken - facts.width;
    if (over > 0) widths[growing] = Math.max(LEAST, (widths[growing] ?? 0) - over);
  }
  const line = (cells: string[], paint: Row["paint"]): string => {
    const last = cells.length - 1;
    return cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        const cut = at === growing && facts.width !== null ? cutTo(cell, width, facts) : cell;
        const padded = at === last ? cut : padTo(cut, width);
        return paint === undefined ? padded : paint(padded, at);
      })
      .join(GAP)
      .trimEnd();
  };
  const head = columns.map((column) => column.title);
  return [line(head, undefined), ...rows.map((row) => line(row.cells, row.paint))];
}
