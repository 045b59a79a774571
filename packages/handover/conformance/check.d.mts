export interface Answer {
  exit: number;
  stdout: string;
  stderr: string;
}
export interface World {
  cwd: string;
  /** Environment variables; none when absent. */
  env?: Record<string, string>;
  stdin: string;
}
export interface CaseResult {
  id: string;
  rule: string;
  problems: string[];
}
export function readCases(): { id: string; strict?: boolean }[];
export function runCases(
  run: (words: string[], world: World) => Answer | Promise<Answer>,
  options?: { strict?: boolean; only?: string | null },
): Promise<CaseResult[]>;
