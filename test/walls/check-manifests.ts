import { manifestsOf } from "./check-imports.ts";
import { packageName, ROOMS, roomAt, roomOf } from "./rooms.ts";
import { isFixture, type SourceFile } from "./source-tree.ts";

/** The table itself: what a room may import lies on a lower floor. */
export function checkFloors(rooms: typeof ROOMS): string[] {
  return Object.entries(rooms).flatMap(([name, room]) => [
    ...room.may
      .filter((target) => (rooms[target]?.floor ?? Number.POSITIVE_INFINITY) >= room.floor)
      .map((target) => `${name} may import ${target}, which is not below it`),
    ...(room.folder.startsWith("apps/") === (room.floor === 3) ? [] : [`${name} is on the wrong floor`]),
  ]);
}

/** What each package.json says it needs of our own rooms, and that it names nothing it does not use. */
export function checkManifests(files: readonly SourceFile[]): string[] {
  const violations: string[] = [];
  for (const [name, manifest] of manifestsOf(files)) {
    const room = ROOMS[name];
    if (!room) continue;
    const path = `${room.folder}/package.json`;
    if (manifest.name !== packageName(name)) violations.push(`${path} names itself ${manifest.name}`);
    const texts = files
      .filter(
        (file) => roomAt(file.path) === name && !isFixture(file.path) && !/\/(package\.json|.*\.md)$/.test(file.path),
      )
      .map((file) => file.text);
    const needs = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
    for (const needed of Object.keys(needs)) {
      const target = roomOf(needed);
      if (target !== null && !room.may.includes(target) && !room.starts?.includes(target))
        violations.push(`${path} depends on ${needed}: ${name} may import ${room.may.join(", ") || "nothing"}`);
      if (!texts.some((text) => text.includes(`"${needed}"`) || text.includes(`"${needed}/`)))
        violations.push(`${path} depends on ${needed}, which no file of it names`);
    }
  }
  return violations;
}

/** Packages that stand where no room is. */
export function checkStrangers(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => /^(apps|packages)\/[^/]+\/package\.json$/.test(file.path) && roomAt(file.path) === null)
    .map((file) => `${file.path} is no room of the house: add it to test/walls/rooms.ts with what it may import`);
}
