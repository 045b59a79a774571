import { posix } from "node:path";
import { findImports, type Import } from "./find-imports.ts";
import { type Manifest, readManifest } from "./read-manifest.ts";
import { packageName, ROOMS, type Room, roomAt, roomOf } from "./rooms.ts";
import { isCode, isFixture, isTest, type SourceFile, violation } from "./source-tree.ts";

type Manifests = ReadonlyMap<string, Manifest>;

const list = (names: readonly string[]): string => (names.length === 0 ? "nothing" : names.join(", "));

function checkRelative(file: SourceFile, found: Import, home: string): string | null {
  const target = posix.join(posix.dirname(file.path), found.specifier);
  // What tests of several rooms stand on; it reaches into no room itself.
  if (isTest(file.path) && target.startsWith("test/kit/")) return null;
  if (!target.startsWith(`${home}/`)) return `leaves its package with ${found.specifier}: import a package by its name`;
  // A test may come through its own package's door, to prove it.
  if (posix.basename(target).startsWith("index.") && !isTest(file.path))
    return `imports ${found.specifier}: inside a package import the file itself, the index is a door for others`;
  if (!/\.(ts|tsx|json|css|mjs|js)$/.test(target)) return `imports ${found.specifier} without its file ending`;
  return null;
}

interface Importer {
  name: string;
  room: Room;
  test: boolean;
  /** A program as a stranger writes it: it comes through the door of the package that it shows. */
  example: boolean;
}

function checkRoom(found: Import, target: string, { name, room, test, example }: Importer): string | null {
  if (target === name) return example ? null : `imports its own package by name: import the file`;
  if (found.kind === "resolve" && room.starts?.includes(target)) return null;
  if (!test && room.not?.includes(found.specifier)) return `imports ${found.specifier}, a door that is not for ${name}`;
  if (!room.may.includes(target)) return `imports ${target}: ${name} may import ${list(room.may)}`;
  return null;
}

function checkDoor(found: Import, target: string, manifests: Manifests): string | null {
  const manifest = manifests.get(target);
  if (!manifest) return `imports ${target}, which is not there`;
  const door = `.${found.specifier.slice(packageName(target).length)}`;
  return door in manifest.doors ? null : `imports ${found.specifier} past the doors of ${target}`;
}

function checkOutside(file: SourceFile, found: Import, own: { manifest: Manifest; root: Manifest }): string | null {
  const { specifier } = found;
  if (specifier.startsWith("node:")) return null;
  const name = specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? "");
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = own.manifest;
  const shipped = { ...dependencies, ...peerDependencies, ...optionalDependencies };
  if (name in shipped) return null;
  const builds = !file.path.includes("/src/");
  if ((isTest(file.path) || builds) && (name in devDependencies || name in own.root.devDependencies)) return null;
  return `imports ${name}, which ${own.manifest.name} does not depend on`;
}

/** The package.json of each room that there is, and `""` for the root's. */
export function manifestsOf(files: readonly SourceFile[]): Map<string, Manifest> {
  const found = new Map<string, Manifest>();
  for (const file of files) {
    if (file.path === "package.json") found.set("", readManifest(file));
    const room = roomAt(file.path);
    if (room !== null && file.path === `${ROOMS[room]?.folder}/package.json`) found.set(room, readManifest(file));
  }
  return found;
}

/** Every import of a room: down the stairs only, through doors only, and only what the package says it needs. */
export function checkImports(files: readonly SourceFile[]): string[] {
  const manifests = manifestsOf(files);
  const root = manifests.get("");
  const violations: string[] = [];
  for (const file of files) {
    const name = roomAt(file.path);
    if (name === null || !isCode(file.path) || isFixture(file.path)) continue;
    const room = ROOMS[name];
    const manifest = manifests.get(name);
    if (!room || !manifest || !root) continue;
    const example = file.path.startsWith(`${room.folder}/examples/`);
    for (const found of findImports(file)) {
      // In a test it is the text of some program that another process runs.
      if (found.kind === "require" && isTest(file.path)) continue;
      const target = roomOf(found.specifier);
      const says = found.specifier.startsWith(".")
        ? checkRelative(file, found, room.folder)
        : target !== null
          ? (checkRoom(found, target, { name, room, test: isTest(file.path), example }) ??
            checkDoor(found, target, manifests))
          : checkOutside(file, found, { manifest, root });
      if (says !== null) violations.push(violation(file, found.index, says));
    }
  }
  return violations;
}

/** What tests across packages import: doors as well, since they prove what others can reach. */
export function checkTestImports(files: readonly SourceFile[]): string[] {
  const manifests = manifestsOf(files);
  return files
    .filter((file) => file.path.startsWith("test/") && isCode(file.path) && !isFixture(file.path))
    .flatMap((file) =>
      findImports(file).flatMap((found) => {
        const target = roomOf(found.specifier);
        const outside = posix.join(posix.dirname(file.path), found.specifier);
        if (found.specifier.startsWith(".") && !outside.startsWith("test/"))
          return [violation(file, found.index, `reaches into ${outside}: import the package by its name`)];
        if (target === null || found.kind === "resolve") return [];
        const says = checkDoor(found, target, manifests);
        return says === null ? [] : [violation(file, found.index, says)];
      }),
    );
}

/** Files that hand on what others export. Only the doors of a package may. */
export function checkBarrels(files: readonly SourceFile[]): string[] {
  const manifests = manifestsOf(files);
  return files.flatMap((file) => {
    const room = roomAt(file.path);
    if (room === null || !isCode(file.path) || isFixture(file.path)) return [];
    const folder = ROOMS[room]?.folder ?? "";
    const doors = Object.values(manifests.get(room)?.doors ?? {}).map((door) => `${folder}/${door}`);
    if (doors.includes(file.path)) return [];
    if (/\/index\.[cm]?tsx?$/.test(file.path)) return [`${file.path}:1 is an index inside a package: name the file`];
    return findImports(file)
      .filter((found) => found.kind === "export")
      .map((found) => violation(file, found.index, `hands on ${found.specifier}: only a door does that`));
  });
}
