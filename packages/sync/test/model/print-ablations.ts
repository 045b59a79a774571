import { ABLATION_SEEDS, ALL_RULES, ablate } from "./ablate.ts";
import type { Rule } from "./rules.ts";

// Switches one rule off at a time and prints what broke: tsx print-ablations.ts [rule …]
const named = process.argv.slice(2) as Rule[];
for (const rule of named.length > 0 ? named : ALL_RULES) {
  const found = await ablate(rule, ABLATION_SEEDS);
  console.log(
    found.broke ? `| ${rule} | ${found.level}, seed ${found.seed} | ${found.why} |` : `| ${rule} | never | – |`,
  );
  if (!found.broke) process.exitCode = 1;
}
