/** A rule of a `SPEC.md` that stands in a table row `| id | rule | shown by |`. */
export interface SpecRule {
  id: string;
  rule: string;
  /** Texts of test titles, each a part of one. */
  proofs: string[];
}

const ROW = /^\| ([A-Z]+\d+) \| (.+?) \| (.+?) \|$/;

/** Reads the rules of a SPEC; other lines are words. */
export function readSpec(text: string): SpecRule[] {
  return text.split("\n").flatMap((line) => {
    const match = ROW.exec(line);
    if (match === null) return [];
    const proofs = [...(match[3] ?? "").matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? "");
    return [{ id: match[1] ?? "", rule: match[2] ?? "", proofs }];
  });
}

/** What is wrong with a SPEC: an id twice, a rule without a proof, a proof that no test bears. */
export function checkSpec(text: string, tests: readonly string[]): string[] {
  const rules = readSpec(text);
  if (rules.length === 0) return ["there is no rule in it"];
  const twice = rules.filter(({ id }, at) => rules.findIndex((other) => other.id === id) !== at);
  // A title in a test file stands between quotes of any kind, with those of its own kind escaped.
  const bears = (proof: string): boolean => tests.some((test) => test.includes(proof) || test.includes(escaped(proof)));
  return [
    ...twice.map(({ id }) => `${id} stands there twice`),
    ...rules.filter(({ proofs }) => proofs.length === 0).map(({ id }) => `${id} names no test`),
    ...rules.flatMap(({ id, proofs }) =>
      proofs.filter((proof) => !bears(proof)).map((proof) => `${id}: no test is called "${proof}"`),
    ),
  ];
}

const escaped = (text: string): string => text.replaceAll("'", "\\'");
