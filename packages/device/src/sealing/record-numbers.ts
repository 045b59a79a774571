/** How many numbers are taken at once: gaps are allowed, repeats are not (V22). */
const BLOCK = 16;

/** The numbers of this device's records (V22). */
export interface RecordNumbers {
  /** For a record that is sealed now: above all before it. */
  next(): Promise<number>;
  /** For the device record, while everything else of this device is the cloud's. */
  ofDevice(): Promise<number>;
  /**
   * For a device record that has to be sealed once more: below the numbers of whatever was sealed meanwhile, so that
   * nobody takes its digest for one that counts that (V24).
   */
  ofDeviceAgain(): Promise<number>;
  /** What was taken and not used is given up: the counter was raised from elsewhere. */
  drop(): void;
}

/** Hands out numbers in order; `take` raises what is stored first. */
export function openRecordNumbers(take: (count: number) => Promise<number>): RecordNumbers {
  let left: number[] = [];
  /** Kept for the device record. */
  let spare: number | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<number>): Promise<number> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  async function raw(): Promise<number> {
    if (left.length === 0) {
      const first = await take(BLOCK);
      left = Array.from({ length: BLOCK }, (_, at) => first + at);
    }
    return left.shift() as number;
  }
  return {
    next: () =>
      inTurn(async () => {
        spare ??= await raw();
        return raw();
      }),
    ofDevice: () =>
      inTurn(async () => {
        const n = await raw();
        spare = await raw();
        return n;
      }),
    ofDeviceAgain: () =>
      inTurn(async () => {
        const n = spare ?? (await raw());
        spare = await raw();
        return n;
      }),
    drop() {
      left = [];
      spare = null;
    },
  };
}
