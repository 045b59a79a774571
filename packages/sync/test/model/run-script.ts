import { act } from "./adversary.ts";
import { Broken } from "./broken.ts";
import { heal } from "./heal.ts";
import { modelMachine } from "./model-machine.ts";
import type { Rules } from "./rules.ts";
import type { Step } from "./script.ts";
import { type MakeMachine, World } from "./world.ts";

export interface RunOptions {
  rules: Rules;
  machines: number;
  make?: MakeMachine;
  log?: ((line: string) => void) | undefined;
}
export type RunResult = { ok: true; world: World } | { ok: false; why: string; world: World };

/** Plays a script, ends all faults and checks what must hold then. */
export async function runScript(steps: readonly Step[], o: RunOptions): Promise<RunResult> {
  const world = new World({ make: modelMachine, ...o });
  try {
    for (const step of steps) await act(world, step);
    await heal(world);
    return { ok: true, world };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, why: error.message, world };
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ok: false, why: `THROWN: ${stack.split("\n").slice(0, 4).join(" | ")}`, world };
  }
}

/** The smallest script that still fails in the same way (delta debugging). */
export async function minimise(steps: readonly Step[], o: RunOptions): Promise<readonly Step[]> {
  const kindOf = async (script: readonly Step[]): Promise<string | null> => {
    const result = await runScript(script, { ...o, log: undefined });
    return result.ok ? null : (result.why.split(":")[0] ?? null);
  };
  const kind = await kindOf(steps);
  let list = steps;
  for (let size = list.length >> 1; size >= 1; size >>= 1)
    for (let i = 0; i + size <= list.length; ) {
      const shorter = [...list.slice(0, i), ...list.slice(i + size)];
      if ((await kindOf(shorter)) === kind) list = shorter;
      else i += size;
    }
  return list;
}
