import { beforeAll, describe, expect, test } from "vitest";
import { toBase64url } from "../bytes/base64url.ts";
import { utf8 } from "../bytes/text.ts";
import { sha256 } from "../primitives/hash.ts";
import { buildWorld, idOf, type World } from "../vault-world.test-kit.ts";
import { checkViews, type HeldRecord, type HeldView, type ViewsHeld } from "./check-views.ts";
import { markOf, newIncarnation, recordsDigest } from "./device-record.ts";

let w: World;
let a: string;
let b: string;
beforeAll(async () => {
  w = await buildWorld();
  [a, b] = [w.laptop.id, w.desktop.id];
});

const hashOf = (name: string): Promise<Uint8Array> => sha256(utf8(name));
const row = async (writer: string, n: number, more: Partial<HeldRecord> = {}): Promise<HeldRecord> => ({
  kind: 3,
  id: await idOf(`${writer}/${n}`),
  writer,
  n,
  hash: await hashOf(`${writer}/${n}`),
  deleted: false,
  ...more,
});

async function view(
  n: number,
  more: { seen?: HeldView["view"]["seen"]; of?: HeldRecord[]; roster?: World["three"] } = {},
) {
  const { seen = {}, of = [], roster = w.rotated } = more;
  const digest = await recordsDigest(of);
  const held: HeldView = {
    n,
    hash: await hashOf(`view ${n}`),
    view: { incarnation: newIncarnation(), roster: { seq: roster.seq, hash: toBase64url(roster.hash) }, seen, digest },
  };
  return held;
}
const check = (views: [string, HeldView][], more: Partial<ViewsHeld> = {}) =>
  checkViews({ roster: w.rotated, views: new Map(views), records: [], ...more });

describe("different views", () => {
  test("V24 an honest cloud gives no suspicion", async () => {
    const rows = [await row(a, 3), await row(a, 4, { kind: 9 }), await row(a, 2, { deleted: true })];
    const of = rows.slice(0, 1);
    const mine = await view(5, { of });
    const other = await view(2, { seen: { [a]: markOf(mine) } });
    expect(
      await check(
        [
          [a, mine],
          [b, other],
        ],
        { records: rows },
      ),
    ).toEqual([]);
    expect(
      await check(
        [
          [a, mine],
          [b, await view(2, { seen: { [a]: { n: 4, hash: "x" } } })],
        ],
        { records: rows },
      ),
    ).toEqual([]);
  });

  test("V24 a device record that another one has seen is kept back, or is an old one", async () => {
    const seen = { [a]: { n: 5, hash: toBase64url(await hashOf("view 5")) } };
    const shown = [{ code: "WITHHELD", what: a, shownBy: b }];
    expect(await check([[b, await view(2, { seen })]])).toEqual(shown);
    expect(
      await check([
        [a, await view(4)],
        [b, await view(2, { seen })],
      ]),
    ).toEqual(shown);
  });

  test("V24 the same device record with two contents", async () => {
    const seen = { [a]: { n: 5, hash: toBase64url(await hashOf("another")) } };
    const found = await check([
      [a, await view(5)],
      [b, await view(2, { seen })],
    ]);
    expect(found).toEqual([{ code: "EQUIVOCATION", what: a, shownBy: b }]);
  });

  test("V24 a roster that another device has seen further, or otherwise", async () => {
    const found = await check([[b, await view(2)]], { roster: w.three });
    expect(found).toEqual([{ code: "WITHHELD", what: "roster", shownBy: b }]);
    const hashes = [...w.rotated.hashes.slice(0, 3), await hashOf("other")];
    const other = await check([[b, await view(2)]], { roster: { seq: 3, hashes } });
    expect(other).toEqual([{ code: "EQUIVOCATION", what: "roster", shownBy: b }]);
  });

  test("V24 rows of a device are missing, old, or brought back after their deletion", async () => {
    const rows = [await row(a, 3), await row(a, 4)];
    const views: [string, HeldView][] = [[a, await view(5, { of: rows })]];
    const shown = [{ code: "WITHHELD", what: a, shownBy: a }];
    expect(await check(views, { records: rows })).toEqual([]);
    expect(await check(views, { records: rows.slice(1) })).toEqual(shown);
    expect(
      await check(views, { records: [{ ...(await row(a, 2)), id: (await row(a, 4)).id }, await row(a, 3)] }),
    ).toEqual(shown);
    expect(await check(views, { records: [...rows, await row(a, 1)] })).toEqual(shown);
    // It wrote since, so its digest is of an earlier moment; what is shared is not in it at all.
    expect(await check(views, { records: [await row(a, 6)] })).toEqual([]);
    expect(await check(views, { records: [await row(a, 6, { kind: 9 })] })).toEqual(shown);
  });

  test("V25 a device that joined inherits what the one that let it in had seen", async () => {
    const inherited = { [a]: { n: 5, hash: toBase64url(await hashOf("view 5")) } };
    expect(await check([[a, await view(4)]], { inherited })).toEqual([
      { code: "WITHHELD", what: a, shownBy: "pairing" },
    ]);
    expect(await check([[a, await view(5)]], { inherited })).toEqual([]);
  });
});
