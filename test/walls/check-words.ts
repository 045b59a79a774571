import { readManifest } from "./read-manifest.ts";
import { isCode, isFixture, isTest, type SourceFile, violation } from "./source-tree.ts";

interface Word {
  form: RegExp;
  says: string;
  /** Where it counts; everywhere when absent. */
  where?: (path: string) => boolean;
}

const notFixture = (path: string): boolean => !isFixture(path);
const inCode = (path: string): boolean => isCode(path) && !isFixture(path);
const inTests = (path: string): boolean => inCode(path) && isTest(path);

const WORDS: readonly Word[] = [
  {
    form: /(?<![\w.$~}>)-])\/(?:root|work|home\/(?!(?:you|user|me|someone|somebody|[a-z])\b)[a-z]\w*|Users\/(?!You\b)[A-Za-z]\w*)(?=\/|["'`\s]|$)/gm,
    says: "names a path of one machine",
    where: notFixture,
  },
  { form: /\bregistry\.(?:[a-z0-9-]+\.)+[a-z]{2,}/gi, says: "names a package registry" },
  {
    form: /\bhttps?:\/\/[^\s/"']*(?:registry|verdaccio|artifactory|nexus|jfrog|npmmirror)[^\s/"']*/gi,
    says: "names a package registry",
  },
  {
    // Where a statement begins, or behind `=`: inside a string it is some other program's test.
    form: /(?:^[ \t]*(?:await |return )?|=\s*)(?:test|it|describe|suite|bench|context|ctx|t)(?:\.\w+)*\.(?:only|skip|todo)\b/gm,
    says: "leaves tests out: fix it or remove it",
    where: inTests,
  },
  {
    form: /^[ \t]*(?:xit|xtest|xdescribe|fit|fdescribe)\(/gm,
    says: "leaves tests out: fix it or remove it",
    where: inTests,
  },
  { form: /@ts-(?:ignore|nocheck|expect-error)\b/g, says: "silences the compiler", where: inCode },
  {
    form: /\b(?:as|satisfies)\s+any\b|<\s*any\s*>|:\s*any\b(?=\s*[,;=)\]}|&>])/g,
    says: "takes a type away: parse it, or say unknown",
    where: inCode,
  },
  {
    form: /\b(?:eslint[-]disable|biome[-]ignore(?! format:)|oxlint[-]disable(?!-next-line [\w/-]+ -- \S))[\w-]*/g,
    says: "silences the linter without naming one rule and why (oxlint-disable-next-line RULE -- why)",
    where: inCode,
  },
  {
    form: /(?:\/\/|\/?\*+)\s*(?:TODO|FIXME|XXX|HACK)\b/g,
    says: "leaves work undone: do it or leave it out",
    where: inCode,
  },
];

/** Words that the repository does not hold. */
export function checkWords(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    WORDS.filter((word) => word.where?.(file.path) ?? true).flatMap((word) =>
      [...file.text.matchAll(word.form)].map((match) =>
        violation(file, match.index, `${word.says} (${match[0].trim()})`),
      ),
    ),
  );
}

const EXACT = /^(?:workspace:\*|\d+\.\d+\.\d+(?:-[\w.]+)?)$/;

/** Every version in every package.json is one version, so that every install is the same. */
export function checkPins(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => /(^|\/)package\.json$/.test(file.path) && !isFixture(file.path))
    .flatMap((file) => {
      const { dependencies, devDependencies, peerDependencies, optionalDependencies } = readManifest(file);
      return Object.entries({ ...peerDependencies, ...optionalDependencies, ...devDependencies, ...dependencies })
        .filter(([, version]) => !EXACT.test(version))
        .map(([name, version]) => `${file.path} takes ${name} ${version}: name one version`);
    });
}

/** The lockfile names packages by version and checksum, never by the place this machine took them from. */
export function checkLockfile(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => file.path === "pnpm-lock.yaml")
    .flatMap((file) =>
      [...file.text.matchAll(/\b(?:tarball:|https?:\/\/|git\+|link:\/|file:)/g)].map((match) =>
        violation(file, match.index, "names a place: install from the default registry settings"),
      ),
    );
}
