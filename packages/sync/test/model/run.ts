import { modelMachine } from "./model-machine.ts";
import { realMachine } from "./real-machine.ts";
import { RULES, type Rule, rulesWithout } from "./rules.ts";
import { minimise, runScript } from "./run-script.ts";
import { machinesOf, type Op, scriptOf } from "./script.ts";

// Runs seeds of the model: tsx run.ts [--seeds 1-2000] [--steps 160] [--off rule,rule] [--ban op,op] [--real] [--min] [--trace]
const arg = (name: string, otherwise: string): string => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const [low = 1, high = low] = arg("seeds", "1-2000").split("-").map(Number);
const steps = Number(arg("steps", "160"));
const off = arg("off", "").split(",").filter(Boolean) as Rule[];
const ban = arg("ban", "").split(",").filter(Boolean) as Op[];
for (const name of off) if (!(name in RULES)) throw new Error(`There is no rule ${name}.`);
const rules = rulesWithout(...off);
const make = process.argv.includes("--real") ? realMachine : modelMachine;

const began = Date.now();
const failed = new Map<string, number[]>();
for (let seed = low; seed <= high; seed++) {
  const result = await runScript(scriptOf(seed, steps, ban), { rules, make, machines: machinesOf(seed) });
  if (result.ok) continue;
  const kind = result.why.split(":")[0] ?? "";
  const seeds = failed.get(kind) ?? [];
  failed.set(kind, [...seeds, seed]);
  if (seeds.length === 0) console.log(`seed ${seed}: ${result.why}`);
}
const counts = [...failed].map(([kind, seeds]) => `${kind} ${seeds.length}`).join(", ");
console.log(`${high - low + 1} seeds of ${steps} steps, failed: ${counts || "none"} (${Date.now() - began} ms)`);
for (const [kind, seeds] of failed) {
  const seed = seeds[0] ?? 0;
  if (!process.argv.includes("--min") && !process.argv.includes("--trace")) break;
  const o = { rules, make, machines: machinesOf(seed) };
  const script = scriptOf(seed, steps, ban);
  const shortest = process.argv.includes("--min") ? await minimise(script, o) : script;
  console.log(`\n== ${kind}: seed ${seed}, ${shortest.length} steps`);
  const result = await runScript(shortest, { ...o, log: (line) => console.log(line) });
  console.log(result.ok ? "ok" : `=> ${result.why}`);
}
process.exitCode = failed.size > 0 ? 1 : 0;
