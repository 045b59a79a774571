import type { SourceFile } from "./source-tree.ts";

/** What the walls need of a package.json. */
export interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  /** Key of the door → its source file, relative to the package. */
  doors: Record<string, string>;
  scripts: Record<string, string>;
}

const strings = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

/** Reads a package.json; what it does not have is empty. */
export function readManifest(file: SourceFile): Manifest {
  const json = JSON.parse(file.text) as Record<string, unknown>;
  const doors = Object.entries((json.exports ?? {}) as Record<string, { source?: string }>).map(([key, door]) => [
    key,
    (door.source ?? "").replace(/^\.\//, ""),
  ]);
  return {
    name: typeof json.name === "string" ? json.name : "",
    dependencies: strings(json.dependencies),
    devDependencies: strings(json.devDependencies),
    peerDependencies: strings(json.peerDependencies),
    optionalDependencies: strings(json.optionalDependencies),
    doors: Object.fromEntries(doors),
    scripts: strings(json.scripts),
  };
}
