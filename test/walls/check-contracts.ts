import { findImports } from "./find-imports.ts";
import { readManifest } from "./read-manifest.ts";
import { isTest, type SourceFile, violation } from "./source-tree.ts";

const FOLDER = "packages/contracts/";

/** Contracts are shapes: a page that needs one function pays for that function alone. */
export function checkContracts(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => file.path.startsWith(FOLDER))
    .flatMap((file) => {
      if (file.path === `${FOLDER}package.json`) {
        const { dependencies, peerDependencies, optionalDependencies } = readManifest(file);
        return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies }).map(
          (name) => `${file.path} depends on ${name}: contracts depend on nothing`,
        );
      }
      if (!/\.[cm]?ts$/.test(file.path) || isTest(file.path)) return [];
      const imports = findImports(file)
        .filter((found) => !found.specifier.startsWith("./"))
        .map((found) => violation(file, found.index, `imports ${found.specifier}: contracts import nothing`));
      const classes = [...file.text.matchAll(/^[ \t]*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+\w+/gm)].map(
        ({ index }) => violation(file, index, "holds a class: contracts are plain data"),
      );
      const globals = [...file.text.matchAll(/\b(?:(?:process|Buffer|globalThis)\.[a-z]|fetch\()/g)].map(({ index }) =>
        violation(file, index, "touches the machine: contracts are pure"),
      );
      return [...imports, ...classes, ...globals];
    });
}
