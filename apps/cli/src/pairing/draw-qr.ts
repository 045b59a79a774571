import { encode } from "uqr";
import type { TerminalFacts } from "../terminal/terminal-facts.ts";

/** Modules of quiet zone around a code. */
const BORDER = 2;

/**
 * A QR code for a terminal, two rows of modules to a line in half blocks, or two characters to a module where there is
 * only ASCII. Null when it does not fit: half a code is of no use to a camera.
 */
export function drawQr(text: string, facts: TerminalFacts): string[] | null {
  const { data } = encode(text, { ecc: "L", border: BORDER });
  const width = (data[0]?.length ?? 0) * (facts.utf8 ? 1 : 2);
  if (facts.width !== null && width > facts.width) return null;
  const lines = facts.utf8 ? halfBlocks(data) : twoCharacters(data);
  // With colours it is dark on light as printed ones are; without, a dark background is taken for granted.
  return facts.colour ? lines.map((line) => `\u001b[38;5;231;48;5;16m${line}\u001b[0m`) : lines;
}

function halfBlocks(data: readonly boolean[][]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += 2) {
    const [upper = [], lower] = data.slice(at, at + 2);
    // What is light is drawn, what is dark is left out.
    lines.push(upper.map((dark, x) => block(!dark, lower === undefined ? false : !lower[x])).join(""));
  }
  return lines;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}

function twoCharacters(data: readonly boolean[][]): string[] {
  return data.map((row) => row.map((dark) => (dark ? "  " : "##")).join(""));
}
