export const RETRY_FIRST_MS = 500;
export const RETRY_CAP_MS = 60_000;

/** How long to wait after `failures` failures in a row: full jitter below a doubling cap; `random` in [0, 1). */
export function retryDelay(failures: number, random: number): number {
  const cap = Math.min(RETRY_CAP_MS, RETRY_FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(cap / 2 + (cap / 2) * random);
}
