const NAMES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
  "cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "pdm.lock",
  "pipfile.lock",
  "gemfile.lock",
  "composer.lock",
  "mix.lock",
  "pubspec.lock",
  "podfile.lock",
  "packages.lock.json",
  "flake.lock",
]);

/** Whether a path is one that tools write: lock files, minified code, source maps, snapshots. Read from the name alone. */
export function isGenerated(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return NAMES.has(name) || /\.min\.(js|css|mjs)$|\.(js|css|mjs)\.map$|\.snap$/.test(name);
}
