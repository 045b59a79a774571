import { seeded } from "./rules.ts";

/** How often each step comes in a script. */
export const WEIGHTS = {
  go: 60,
  tick: 22,
  deliver: 40,
  drop: 5,
  dup: 5,
  timeout: 4,
  append: 26,
  session: 4,
  pref: 8,
  prefdel: 2,
  rec: 6,
  command: 8,
  withdraw: 3,
  forge: 1,
  del: 1,
  follow: 8,
  unfollow: 3,
  rechain: 4,
  compact: 6,
  crash: 5,
  start: 10,
  backup: 4,
  restore: 2,
  clone: 1,
  resolve: 6,
  adopt: 1,
  revoke: 0.4,
  purge: 2,
  expire: 1.5,
  cbackup: 2,
  crestore: 1,
  crestoreSilent: 0.6,
  offline: 1,
};
export type Op = keyof typeof WEIGHTS;
/** A step: what happens, and three numbers that are taken modulo what there is, so that steps can be left out. */
export type Step = readonly [op: Op, a: number, b: number, machine: number];

/** The same seed always gives the same script. */
export function scriptOf(seed: number, steps: number, ban: readonly Op[] = []): Step[] {
  const next = seeded(seed);
  const names = (Object.keys(WEIGHTS) as Op[]).filter((name) => !ban.includes(name));
  const total = names.reduce((sum, name) => sum + WEIGHTS[name], 0);
  return Array.from({ length: steps }, () => {
    let at = (next() / 65536) * total;
    const op = names.find((name) => (at -= WEIGHTS[name]) <= 0) ?? "go";
    return [op, next(), next(), next()] as const;
  });
}

/** Two to four machines. */
export const machinesOf = (seed: number): number => 2 + (seed % 3);
