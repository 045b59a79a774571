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
  bootOnPush: { level: 0, seed: 86 },
  epochOnPush: { level: 2, seed: 2 },
  pullFirst: { level: 0, seed: 77 },
  have: { level: 0, seed: 35 },
  fork: { level: 1, seed: 5 },
  forkNew: { level: 2, seed: 121 },
  fence: { level: 0, seed: 3 },
  writerKind: { level: 0, seed: 3 },
  macFloor: { level: 0, seed: 17 },
  since: { level: 0, seed: 6 },
  oneSnap: { level: 0, seed: 1 },
  cutUnion: { level: 0, seed: 1 },
  pageCas: { level: 1, seed: 180 },
  unseen: { level: 2, seed: 6 },
  sticky: "by hand",
  sweepGuard: { level: 0, seed: 2 },
  salvage: { level: 2, seed: 23 },
  sum: { level: 3, seed: 6 },
  drop: { level: 1, seed: 45 },
  sealedOnce: { level: 1, seed: 707 },
  claimBoot: { level: 1, seed: 5 },
  claimFirst: { level: 1, seed: 38 },
  claimPassed: "by hand",
  rowWins: "by hand",
  logTomb: { level: 2, seed: 518 },
  top: "by hand",
  lazy: { level: 0, seed: 1 },
  keepRow: { level: 0, seed: 1 },
  ackCas: { level: 0, seed: 173 },
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
