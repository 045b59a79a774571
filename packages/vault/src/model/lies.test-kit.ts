import { RECORD_KINDS } from "@codehands/contracts";
import { isShared } from "../records/accept-record.ts";
import type { DeviceView } from "../records/device-record.ts";
import { splitItem } from "../sealing/header.ts";
import { type Account, type Dice, openOnce } from "./model-account.test-kit.ts";
import { type Answers, type CloudRow, HONEST, keyOf, type ModelCloud } from "./model-cloud.test-kit.ts";

interface Scene {
  dice: Dice;
  account: Account;
}
/** How the cloud answers while it tells this lie, or null where this history gives no chance for it. */
type Lie = (cloud: ModelCloud, scene: Scene) => Promise<(Answers & { toKnowing?: boolean }) | null>;

/** True for a sealed deletion. */
export const isDeleted = ({ item }: CloudRow): boolean => {
  const { header } = splitItem(item);
  return header.type === "record" && header.deleted;
};
const isOwn = ({ kind }: CloudRow): boolean => kind !== RECORD_KINDS.device && !isShared(kind);
const pick = <T>(dice: Dice, list: readonly T[]): T | null => list[dice(Math.max(1, list.length))] ?? null;

const olderOf = (cloud: ModelCloud, row: CloudRow, counts: (old: CloudRow) => boolean = () => true): CloudRow | null =>
  cloud.history.findLast((old) => keyOf(old) === keyOf(row) && old.rev < row.rev && counts(old)) ?? null;

const inPlaceOf = (target: CloudRow, answer: (row: CloudRow) => CloudRow | null): Answers => ({
  ...HONEST,
  row: (row) => (keyOf(row) === keyOf(target) ? answer(row) : row),
});

/** A row of a single-writer kind, and an older item of it. */
function changed(cloud: ModelCloud, dice: Dice, counts: (row: CloudRow, old: CloudRow) => boolean) {
  const pairs = [...cloud.rows.values()].filter(isOwn).flatMap((row) => {
    const old = olderOf(cloud, row, (candidate) => counts(row, candidate));
    return old ? [{ row, old }] : [];
  });
  return pick(dice, pairs);
}

/** Serves an older item of one record to somebody who never saw the newer one. */
const rollBack: Lie = async (cloud, { dice }) => {
  const found = changed(cloud, dice, (row, old) => !isDeleted(row) && !isDeleted(old));
  return found && inPlaceOf(found.row, (row) => ({ ...row, item: found.old.item }));
};

/** The same to somebody who has. */
const rollBackKnown: Lie = async (cloud, { dice }) => {
  const found = changed(cloud, dice, () => true);
  return found && { ...inPlaceOf(found.row, (row) => ({ ...row, item: found.old.item })), toKnowing: true };
};

const hide: Lie = async (cloud, { dice }) => {
  const target = pick(
    dice,
    [...cloud.rows.values()].filter((row) => isOwn(row) && !isDeleted(row)),
  );
  return target && inPlaceOf(target, () => null);
};

const undoDeletion: Lie = async (cloud, { dice }) => {
  const found = changed(cloud, dice, (row, old) => isDeleted(row) && !isDeleted(old));
  return found && inPlaceOf(found.row, (row) => ({ ...row, item: found.old.item }));
};

/** One device as it was before something that another device knows of it. */
const freeze: Lie = async (cloud, { dice, account }) => {
  const views = [...cloud.rows.values()].filter(({ kind }) => kind === RECORD_KINDS.device);
  const target = pick(dice, views);
  if (!target) return null;
  let known = 0;
  for (const view of views) {
    const opened = await openOnce(account, view.item, view);
    if (!opened.ok) throw new Error(opened.code);
    known = Math.max(known, (opened.value.body as DeviceView).seen[target.id]?.n ?? 0);
  }
  const old = pick(
    dice,
    cloud.history.filter((row) => keyOf(row) === keyOf(target) && row.n < known),
  );
  if (!old) return null;
  const row = (now: CloudRow): CloudRow | null => {
    if (now.writer !== target.id || now.n <= old.n) return now;
    const then = cloud.history.findLast(
      (past) => keyOf(past) === keyOf(now) && past.writer === target.id && past.n <= old.n,
    );
    return then ? { ...now, item: then.item } : null;
  };
  return { ...HONEST, row };
};

const swap: Lie = async (cloud, { dice }) => {
  const rows = [...cloud.rows.values()];
  const [one, two] = [pick(dice, rows), pick(dice, rows)];
  return one && two && one !== two ? inPlaceOf(one, (row) => ({ ...row, item: two.item })) : null;
};

const damage: Lie = async (cloud, { dice }) => {
  const target = pick(dice, [...cloud.rows.values()]);
  if (!target) return null;
  const item = target.item.slice();
  const at = dice(item.length);
  item[at] = (item[at] ?? 0) ^ (1 << dice(8));
  return inPlaceOf(target, (row) => ({ ...row, item }));
};

const logLie =
  (least: number, answer: Answers["segments"]): Lie =>
  async (cloud, { dice }) => {
    const streams = [...new Set(cloud.segments.map(({ stream }) => stream))];
    const long = streams.filter(
      (stream) => cloud.segments.filter((segment) => segment.stream === stream).length >= least,
    );
    const target = pick(dice, long);
    if (target === null) return null;
    const segments: Answers["segments"] = (own, reader) => (own[0]?.stream === target ? answer(own, reader) : own);
    return { ...HONEST, segments };
  };

const swapLogs: Lie = async (cloud, { dice }) => {
  const [one] = cloud.segments;
  const other = pick(
    dice,
    cloud.segments.filter(({ stream }) => stream !== one?.stream),
  );
  if (!one || !other) return null;
  const swapped = { ...one, item: other.item };
  const segments: Answers["segments"] = (own) => own.map((segment) => (segment === one ? swapped : segment));
  return { ...HONEST, segments };
};

export const LIES = {
  "an older copy of a record, to a new device": rollBack,
  "an older copy of a record, to one that holds the newer": rollBackKnown,
  "a record hidden": hide,
  "a deletion undone": undoDeletion,
  "a device frozen in its past": freeze,
  "a record in another's place": swap,
  "a bit flipped": damage,
  "the end of a log kept back": logLie(1, (own) => own.slice(0, -1)),
  "the middle of a log left out": logLie(3, (own) => own.filter((_, at) => at !== 1)),
  "a log out of order": logLie(2, (own) => own.toReversed()),
  "a segment of another log": swapLogs,
} satisfies Record<string, Lie>;
export type LieName = keyof typeof LIES;
