/** Numbers as a person reads them. */

/** US dollars; a dash when nobody knows the cost. */
export function usd(amount: number | null): string {
  if (amount === null) return "-";
  if (amount > 0 && amount < 0.01) return `$${amount.toFixed(4)}`;
  return `$${amount.toFixed(2)}`;
}

/** A count with its noun: `1 file`, `3 files`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes in the unit that fits, powers of 1000 as disks are sold: `3.2 GB`. */
export function byteSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let rest = bytes;
  let unit = 0;
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? rest : rest.toFixed(1)} ${units[unit]}`;
}

/** Lines added and deleted over files: `3 files +84 -12`. */
export function changeSize(diff: { files: number; additions: number; deletions: number }): string {
  return `${counted(diff.files, "file")} +${diff.additions} -${diff.deletions}`;
}

/** Tokens, shortened from ten thousand on: `9876`, `12k`, `3.4M`. */
export function tokens(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
