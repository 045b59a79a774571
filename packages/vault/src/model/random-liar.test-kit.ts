import type { Dice } from "./model-account.test-kit.ts";
import type { Answers, CloudRow, CloudSegment, ModelCloud } from "./model-cloud.test-kit.ts";

const flip = (item: Uint8Array, dice: Dice): Uint8Array => {
  const changed = item.slice();
  const at = dice(item.length);
  changed[at] = (changed[at] ?? 0) ^ (1 << dice(8));
  return changed;
};

const pick = <T>(dice: Dice, list: readonly T[]): T | undefined => list[dice(Math.max(1, list.length))];

/** A cloud that lies about a third of what it gives out, in every way that it has. */
export function randomLiar(cloud: ModelCloud, dice: Dice): { answers: Answers; told(): number } {
  let told = 0;
  const lie = <T>(value: T): T => {
    told++;
    return value;
  };
  const row = (honest: CloudRow): CloudRow | null => {
    const kind = dice(15);
    if (kind === 0) return lie(null);
    if (kind === 1) return lie({ ...honest, item: flip(honest.item, dice) });
    if (kind === 2) return lie({ ...honest, item: honest.item.slice(0, dice(honest.item.length)) });
    if (kind === 3) {
      const older = cloud.history.filter(({ kind: k, id, n }) => k === honest.kind && id === honest.id && n < honest.n);
      const old = pick(dice, older);
      return old ? lie({ ...honest, item: old.item }) : honest;
    }
    if (kind === 4) {
      const other = pick(dice, cloud.history);
      return other && other.item !== honest.item ? lie({ ...honest, item: other.item }) : honest;
    }
    if (kind === 5) {
      const other = pick(dice, cloud.history);
      return other ? lie({ ...other, kind: honest.kind }) : honest;
    }
    return honest;
  };
  const segments = (honest: CloudSegment[]): CloudSegment[] => {
    const kind = dice(12);
    if (honest.length === 0) return honest;
    if (kind === 0) return lie(honest.toReversed());
    if (kind === 1) return lie(honest.filter((_, at) => at !== dice(honest.length)));
    if (kind === 2) return lie([...honest, ...honest]);
    if (kind === 3) return lie(honest.map((segment) => ({ ...segment, item: flip(segment.item, dice) })));
    if (kind === 4)
      return lie(honest.map((segment) => ({ ...segment, item: pick(dice, cloud.segments)?.item ?? segment.item })));
    if (kind === 5) return lie(honest.slice(0, -1));
    return honest;
  };
  return { answers: { row, segments }, told: () => told };
}
