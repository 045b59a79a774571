/** What one output stream can show. Everything that is drawn is a function of this. */
export interface TerminalFacts {
  tty: boolean;
  colour: boolean;
  utf8: boolean;
  /** Columns to fit into; null when nothing may be cut (a pipe or a file). */
  width: number | null;
  /** The person's home folder, shown as `~`; empty when unknown. */
  homeFolder: string;
}

export interface StreamFacts {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export interface TerminalWishes {
  noColor: boolean;
  /** Null when the person did not say. */
  forceColor: boolean | null;
  term: string;
  utf8: boolean;
  homeFolder: string;
}

/** Decides what a stream can show from what it is and what the person's environment asks for. */
export function terminalFacts(stream: StreamFacts, wishes: TerminalWishes): TerminalFacts {
  const tty = stream.isTTY === true;
  const natural = tty && wishes.term !== "dumb";
  const colour = wishes.forceColor ?? (wishes.noColor ? false : natural);
  // A terminal that does not know its size says 0.
  const width = tty ? Math.max(40, stream.columns || 80) : null;
  return { tty, colour, utf8: wishes.utf8, width, homeFolder: wishes.homeFolder };
}
