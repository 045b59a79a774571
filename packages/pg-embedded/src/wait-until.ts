import { setTimeout as sleep } from "node:timers/promises";

/** Polls until `holds` returns something else than null; null when `ms` milliseconds went by without. */
export async function waitUntil<T>(ms: number, holds: () => T | null): Promise<T | null> {
  const end = performance.now() + ms;
  for (;;) {
    const found = holds();
    if (found !== null) return found;
    if (performance.now() > end) return null;
    await sleep(10);
  }
}
