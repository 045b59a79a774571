import { canonicalize } from "../hash/canonicalize.ts";
import { eachString } from "../json/each-string.ts";
import { holdsSecret } from "../packet/find-secrets.ts";
import { MANY_BYTES, REQUIRED_SECTIONS, type Section } from "../packet/packet.ts";
import { findPaths } from "./find-paths.ts";
import { keyFilesOf, readSections, type Sections } from "./read-sections.ts";

/** How much of the handoff is there, and what would strand the one who takes over. */
export interface Completeness {
  /** From 0 to 1: the part of the seven sections that is there. */
  score: number;
  total: number;
  present: Section[];
  missing: Section[];
  /** For a person, at most eight. */
  warnings: string[];
}

/** More are not read. */
const MOST_WARNINGS = 8;
const MOST_ENDS = 40;

/** Scores a packet. It never throws, and its time grows linearly with the packet. */
export function completeness(packet: unknown): Completeness {
  const sections = readSections(packet);
  const present = REQUIRED_SECTIONS.filter((section) => isThere(sections, section));
  const missing = REQUIRED_SECTIONS.filter((section) => !present.includes(section));
  const total = REQUIRED_SECTIONS.length;
  return { score: present.length / total, total, present, missing, warnings: warningsOf(sections) };
}

function isThere(sections: Sections, section: Section): boolean {
  const value = sections[section];
  if (typeof value === "string") return value.trim() !== "";
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

function warningsOf(sections: Sections): string[] {
  const { progress, next_steps: next, artifacts, state } = sections;
  const warnings: string[] = [];
  if (next.length === 0) warnings.push("there are no next steps: whoever takes over has to work out what is left");
  if (progress.length > 0 && artifacts.length === 0)
    warnings.push("there is progress but no artifacts listed: whoever takes over cannot see which files it is in");
  if (Object.keys(state).length === 0)
    warnings.push("no working state captured: where the work stands has to be found out again");
  warnings.push(...privacyWarnings(sections));
  for (const path of unlistedPaths(sections))
    warnings.push(`${path} is named in progress but is not in artifacts or key_files`);
  if (warnings.length <= MOST_WARNINGS) return warnings;
  return [...warnings.slice(0, MOST_WARNINGS - 1), `and ${warnings.length - MOST_WARNINGS + 1} more`];
}

/** What should not leave the machine, and what is too much to read. */
function privacyWarnings(sections: Sections): string[] {
  const { provenance, unread, ...rest } = sections;
  const warnings: string[] = [];
  const size = sizeOf(rest);
  if (size > MANY_BYTES)
    warnings.push(`the packet has ${Math.ceil(size / 1024)} KiB: an agent reads less than that well`);
  const secrets = new Set<string>();
  eachString(rest, "", (text, path) => {
    if (secrets.size < MOST_WARNINGS && holdsSecret(text)) secrets.add(path);
  });
  for (const path of secrets) warnings.push(`${path} seems to hold a secret: take it out before the packet leaves`);
  for (const [name, value] of Object.entries(provenance)) {
    if (/[^\s@]{1,64}@[^\s@]{1,64}\.[a-z]{2,10}\b/i.test(value.slice(0, 1000)))
      warnings.push(`provenance.${name} holds an e-mail address`);
    if (/^(?:\/|~\/|[A-Za-z]:\\)/.test(value)) warnings.push(`provenance.${name} holds a path of one machine`);
  }
  for (const path of unread.slice(0, 1)) warnings.push(`${path || "the packet"} is not JSON and was not read in full`);
  return warnings;
}

/** Bytes of the canonical text; 0 when there is none. */
function sizeOf(value: unknown): number {
  try {
    return Buffer.byteLength(canonicalize(value));
  } catch {
    return 0;
  }
}

function unlistedPaths(sections: Sections): string[] {
  const listed = new Set<string>();
  for (const path of [...sections.artifacts.map((artifact) => artifact.path), ...keyFilesOf(sections.state)]) {
    for (const end of endsOf(path.replaceAll("\\", "/").replace(/^\.\//, ""))) listed.add(end);
  }
  const mentioned = new Set(sections.progress.flatMap(findPaths));
  return [...mentioned].filter((path) => !listed.has(path) && !endsOf(path).some((end) => listed.has(`=${end}`)));
}

/** The path, everything behind each of its slashes, and with `=` before it the whole, for paths that name more. */
function endsOf(path: string): string[] {
  const ends = [path, `=${path}`];
  // Few folders are deeper; the bound keeps the work linear.
  for (let at = path.indexOf("/"); at !== -1 && ends.length < MOST_ENDS; at = path.indexOf("/", at + 1)) {
    ends.push(path.slice(at + 1));
  }
  return ends;
}
