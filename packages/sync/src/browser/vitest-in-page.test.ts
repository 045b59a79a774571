import { describe, expect, test } from "vitest";
import * as inPage from "./vitest-in-page.test-kit.ts";

const values: unknown[] = [
  0,
  -0,
  1,
  "",
  "a",
  null,
  undefined,
  true,
  [],
  [1],
  [1, 2],
  [[]],
  [undefined],
  {},
  { a: 1 },
  { a: undefined },
  { a: 1, b: 2 },
  { a: { b: 1, c: 2 } },
  { a: { b: 1 } },
  { a: [{ b: 1 }] },
  { a: [{ b: 1, c: 2 }] },
];
const fails = (run: () => void): boolean => {
  try {
    run();
    return false;
  } catch {
    return true;
  }
};
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

describe("what stands in a page for vitest refuses what vitest refuses", () => {
  test("toBe and toEqual", () => {
    for (const value of values)
      for (const wanted of values)
        for (const name of ["toBe", "toEqual"] as const) {
          const real = fails(() => expect(value)[name](wanted));
          expect([value, wanted, name, fails(() => inPage.expect(value)[name](wanted))]).toEqual([
            value,
            wanted,
            name,
            real,
          ]);
        }
  });

  test("toMatchObject, which never accepts more", () => {
    for (const value of values.filter(isObject))
      for (const wanted of values.filter(isObject))
        if (fails(() => expect(value).toMatchObject(wanted)))
          expect([value, wanted, fails(() => inPage.expect(value).toMatchObject(wanted))]).toEqual([
            value,
            wanted,
            true,
          ]);
    inPage.expect({ a: { b: 1, c: 2 }, d: 1 }).toMatchObject({ a: { b: 1 } });
  });

  test("toHaveLength, rejects.toThrow, and what is not plain", async () => {
    expect(fails(() => inPage.expect([1]).toHaveLength(2))).toBe(true);
    inPage.expect([1]).toHaveLength(1);
    await inPage.expect(Promise.reject(new Error("well, no"))).rejects.toThrow("no");
    await expect(inPage.expect(Promise.reject(new Error("yes"))).rejects.toThrow("no")).rejects.toThrow("expected");
    await expect(inPage.expect(Promise.resolve(1)).rejects.toThrow("no")).rejects.toThrow("expected");
    expect(() => inPage.expect(new Map()).toEqual(new Map())).toThrow("plain");
  });

  test("steps around a test run in order, and after a failure too", async () => {
    const said: string[] = [];
    inPage.describe("suite", () => {
      inPage.beforeEach(() => void said.push("before"));
      inPage.afterEach(() => void said.push("after"));
      inPage.test("fails", () => {
        said.push("test");
        throw new Error("no");
      });
    });
    const [made, ...others] = inPage.takeTests();
    expect([made?.name, others]).toEqual(["suite > fails", []]);
    await expect(made?.run()).rejects.toThrow("no");
    expect(said).toEqual(["before", "test", "after"]);
  });
});
