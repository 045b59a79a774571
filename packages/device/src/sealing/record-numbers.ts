/** How many numbers are taken at once: gaps are allowed, repeats are not (V22). */
const BLOCK = 16;

/** Hands out record numbers of this device; `take` raises what is stored first. */
export function openRecordNumbers(take: (count: number) => Promise<number>): { next(): Promise<number>; drop(): void } {
  let left: number[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  return {
    next() {
      const mine = turn.then(async () => {
        if (left.length === 0) {
          const first = await take(BLOCK);
          left = Array.from({ length: BLOCK }, (_, at) => first + at);
        }
        return left.shift() as number;
      });
      turn = mine.catch(() => undefined);
      return mine;
    },
    /** What was taken and not used is given up: the counter was raised from elsewhere. */
    drop() {
      left = [];
    },
  };
}
