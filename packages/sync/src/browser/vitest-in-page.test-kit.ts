// Stands in a page for "vitest", as far as a contract of tests needs it. It is held against the real one in its test.

type Step = () => Promise<void> | void;
interface Suite {
  name: string;
  before: Step[];
  after: Step[];
}
export interface PageTest {
  name: string;
  /** Throws when the test fails. */
  run: () => Promise<void>;
}

const suites: Suite[] = [];
const found: PageTest[] = [];

/** The tests that were described since the last call. */
export const takeTests = (): PageTest[] => found.splice(0);

export function describe(name: string, body: () => void): void {
  suites.push({ name, before: [], after: [] });
  body();
  suites.pop();
}
export const beforeEach = (step: Step): void => void suites.at(-1)?.before.push(step);
export const afterEach = (step: Step): void => void suites.at(-1)?.after.push(step);

export function test(name: string, body: Step): void {
  const around = [...suites];
  const path = [...around.map((suite) => suite.name), name].join(" > ");
  const run = async (): Promise<void> => {
    for (const step of around.flatMap(({ before }) => before)) await step();
    try {
      await body();
    } finally {
      for (const step of around.flatMap(({ after }) => after)) await step();
    }
  };
  found.push({ name: path, run });
}

type Expectation = Record<"toBe" | "toEqual" | "toMatchObject", (wanted: unknown) => void> & {
  toHaveLength: (wanted: number) => void;
  rejects: { toThrow: (words: string) => Promise<void> };
};

/** The expectations of vitest that the contract uses. */
export function expect(value: unknown): Expectation {
  const must = (holds: boolean, wanted: unknown): void => {
    if (!holds) throw new Error(`expected ${JSON.stringify(value)} to be ${JSON.stringify(wanted)}`);
  };
  return {
    toBe: (wanted) => must(Object.is(value, wanted), wanted),
    toEqual: (wanted) => must(isEqual(value, wanted, "all"), wanted),
    toMatchObject: (wanted) => must(isEqual(value, wanted, "wanted"), wanted),
    toHaveLength: (wanted) => must((value as { length?: unknown } | null)?.length === wanted, `of length ${wanted}`),
    rejects: {
      async toThrow(words) {
        const error = await Promise.resolve(value).then(
          () => null,
          (reason: unknown) => reason,
        );
        must(error instanceof Error && error.message.includes(words), `a refusal that says ${words}`);
      },
    },
  };
}

/** Equal in all fields, those that are undefined aside, or at least in those that are wanted. */
function isEqual(value: unknown, wanted: unknown, fields: "all" | "wanted"): boolean {
  if (Object.is(value, wanted)) return true;
  if (typeof value !== "object" || typeof wanted !== "object" || value === null || wanted === null) return false;
  if (Array.isArray(value) !== Array.isArray(wanted)) return false;
  if (!isPlain(value) || !isPlain(wanted)) throw new Error("Only plain objects and lists are compared here.");
  if (Array.isArray(value) && value.length !== (wanted as unknown[]).length) return false;
  const names = new Set([...Object.keys(wanted), ...(fields === "all" ? Object.keys(value) : [])]);
  return [...names].every(
    (name) =>
      (fields === "all" || name in value) &&
      isEqual((value as Record<string, unknown>)[name], (wanted as Record<string, unknown>)[name], fields),
  );
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
