import { LEVELS } from "./ablate.ts";
import { type Rule, rulesWithout } from "./rules.ts";
import { runScript } from "./run-script.ts";
import { SCENARIOS } from "./scenarios.ts";
import { machinesOf, type Step, scriptOf } from "./script.ts";

/** A run that breaks when the rule is off: a seed under one set of faults (index into LEVELS), or a script by hand. */
export type Proof = { level: number; seed: number } | "by hand";

/** Found by `print-ablations.ts`; to be found anew when scripts or rules change. */
export const PROOFS: Readonly<Record<Rule, Proof>> = {
  ancestry: { level: 0, seed: 1 },
  bootOnPush: { level: 0, seed: 187 },
  epochOnPush: { level: 2, seed: 2 },
  pullFirst: { level: 0, seed: 121 },
  have: { level: 0, seed: 81 },
  fork: { level: 1, seed: 2 },
  forkNew: { level: 2, seed: 167 },
  fence: { level: 0, seed: 4 },
  writerKind: { level: 0, seed: 4 },
  macFloor: { level: 0, seed: 120 },
  since: { level: 0, seed: 4 },
  oneSnap: { level: 0, seed: 1 },
  cutUnion: { level: 0, seed: 1 },
  pageCas: { level: 0, seed: 47 },
  unseen: { level: 2, seed: 6 },
  sticky: "by hand",
  sweepGuard: { level: 0, seed: 2 },
  salvage: { level: 2, seed: 6 },
  sum: { level: 3, seed: 4 },
  drop: { level: 1, seed: 12 },
  sealedOnce: { level: 0, seed: 453 },
  claimBoot: { level: 1, seed: 137 },
  claimFirst: { level: 1, seed: 55 },
  claimPassed: "by hand",
  rowWins: "by hand",
  logTomb: { level: 0, seed: 444 },
  top: "by hand",
  lazy: { level: 0, seed: 1 },
  keepRow: { level: 0, seed: 1 },
  rechainFinal: "by hand",
  ackCas: { level: 0, seed: 236 },
};

/** Runs the proof of one rule, with the rule and without it: what broke, or null. */
export async function prove(rule: Rule): Promise<{ on: string | null; off: string | null }> {
  const proof = PROOFS[rule];
  const steps: readonly Step[] =
    proof === "by hand" ? (SCENARIOS[rule] ?? []) : scriptOf(proof.seed, 160, LEVELS[proof.level]?.ban);
  const machines = proof === "by hand" ? 2 : machinesOf(proof.seed);
  const [on, off] = [
    await runScript(steps, { rules: rulesWithout(), machines }),
    await runScript(steps, { rules: rulesWithout(rule), machines }),
  ];
  return { on: on.ok ? null : on.why, off: off.ok ? null : off.why };
}
