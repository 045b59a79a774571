/** How words on the command line become values. A bad one throws a usage error that names it. */
import { usageError } from "../cli-error.ts";

export type ParseValue = (word: string, previous: unknown) => unknown;

const quoted = (word: string): string => `'${word}'`;

/** A number above zero, at most `most`. */
export function positiveNumber(option: string, most: number): ParseValue {
  return (word) => {
    const value = /^\d+(\.\d+)?$/.test(word) ? Number(word) : Number.NaN;
    if (value > 0 && value <= most) return value;
    throw usageError(`${option} takes a number above 0 and at most ${most}, not ${quoted(word)}.`);
  };
}

/** A whole number from `least` to `most`. */
export function wholeNumber(option: string, least: number, most: number): ParseValue {
  return (word) => {
    const value = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw usageError(`${option} takes a whole number from ${least} to ${most}, not ${quoted(word)}.`);
  };
}

/** One of a few words. */
export function oneOf(option: string, words: readonly string[]): ParseValue {
  return (word) => {
    if (words.includes(word)) return word;
    throw usageError(`${option} takes one of ${words.join(", ")}, not ${quoted(word)}.`);
  };
}

/** Several of a few words: the option repeated, or the words with commas between. */
export function someOf(option: string, words: readonly string[]): ParseValue {
  const one = oneOf(option, words);
  return (word, previous) => [
    ...(Array.isArray(previous) ? previous : []),
    ...word.split(",").map((part) => one(part.trim(), undefined)),
  ];
}

const HOURS = { h: 1, d: 24, w: 168 } as const;

/** A length of time in days, given as `14d`, `36h` or `2w`. */
export function daysOf(option: string): ParseValue {
  return (word) => {
    const hours = hoursOf(word);
    if (hours !== null && hours > 0 && hours <= 240_000) return hours / 24;
    throw usageError(`${option} takes a length of time like 14d, 36h or 2w, not ${quoted(word)}.`);
  };
}

/** A point in time as ISO, given as a length of time back from now (`7d`) or as a date. */
export function timeSince(option: string, nowMs: number): ParseValue {
  return (word) => {
    const hours = hoursOf(word);
    const at = hours === null ? (/^\d{4}-\d\d-\d\d/.test(word) ? Date.parse(word) : Number.NaN) : nowMs - hours * 3.6e6;
    if (Number.isFinite(at) && at > 0) return new Date(at).toISOString();
    throw usageError(`${option} takes a length of time like 7d or a date like 2026-01-31, not ${quoted(word)}.`);
  };
}

function hoursOf(word: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([hdw])$/.exec(word) ?? [];
  return amount === undefined ? null : Number(amount) * HOURS[unit as keyof typeof HOURS];
}
