import type { Answer, World } from "../conformance/check.mjs";

export interface Row {
  name: string;
  words: string[];
}
export const ROWS: readonly Row[];
export function runTable(run: (words: string[], world: World) => Answer | Promise<Answer>): Promise<string[]>;
