import { RULES, type Rule, rulesWithout } from "./rules.ts";
import { runScript } from "./run-script.ts";
import { SCENARIOS } from "./scenarios.ts";
import { machinesOf, type Op, scriptOf } from "./script.ts";

/** Faults from mild to hard: a rule is proved by the mildest set that breaks without it. */
export const LEVELS: readonly { name: string; ban: readonly Op[] }[] = [
  {
    name: "network, crashes, purge, compaction, a faulty program",
    ban: ["clone", "restore", "revoke", "crestore", "crestoreSilent"],
  },
  { name: "+ local restore, clone, revoke", ban: ["crestore", "crestoreSilent"] },
  { name: "+ cloud restored with a new epoch", ban: ["crestoreSilent"] },
  { name: "+ cloud restored silently", ban: [] },
];

export type Ablation =
  | { rule: Rule; broke: true; seed: number | "by hand"; level: string; why: string }
  | { rule: Rule; broke: false };

/** Switches one rule off and looks for the first run that breaks. */
export async function ablate(rule: Rule, seeds: number): Promise<Ablation> {
  const rules = rulesWithout(rule);
  const scenario = SCENARIOS[rule];
  if (scenario) {
    const result = await runScript(scenario, { rules, machines: 2 });
    if (!result.ok) return { rule, broke: true, seed: "by hand", level: "by hand", why: result.why };
  }
  for (const { name, ban } of LEVELS)
    for (let seed = 1; seed <= seeds; seed++) {
      const result = await runScript(scriptOf(seed, 160, ban), { rules, machines: machinesOf(seed) });
      if (!result.ok) return { rule, broke: true, seed, level: name, why: result.why };
    }
  return { rule, broke: false };
}

/** Every rule by name. */
export const ALL_RULES = Object.keys(RULES) as Rule[];
export const ABLATION_SEEDS = 800;
