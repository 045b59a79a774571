import pc from "picocolors";
import type { TerminalFacts } from "./terminal-facts.ts";

export type Ink = "red" | "green" | "yellow" | "cyan" | "magenta" | "dim" | "bold";
export type Paint = (ink: Ink, text: string) => string;

const painters = { true: pc.createColors(true), false: pc.createColors(false) };

/** Colours a text when the terminal shows colours, else gives it back as it is. */
export function paintFor(facts: Pick<TerminalFacts, "colour">): Paint {
  const colours = painters[`${facts.colour}`];
  return (ink, text) => colours[ink](text);
}
