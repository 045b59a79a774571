/** What lies at the top of a repository: the names, and the text of `package.json` when there is one. */
export interface TopOfRepo {
  names: readonly string[];
  packageJson: string | null;
}

/** The command that most likely runs a repository's tests, as a list of at most one; empty when nothing speaks for one. */
export function detectTestCommands(top: TopOfRepo): string[] {
  const has = (name: string): boolean => top.names.includes(name);
  if (hasTestScript(top.packageJson)) {
    if (has("pnpm-lock.yaml")) return ["pnpm test"];
    if (has("yarn.lock")) return ["yarn test"];
    if (has("bun.lock") || has("bun.lockb")) return ["bun run test"];
    return ["npm test"];
  }
  if (has("Cargo.toml")) return ["cargo test"];
  if (has("go.mod")) return ["go test ./..."];
  if (has("pytest.ini") || has("tox.ini") || has("conftest.py") || has("pyproject.toml")) return ["pytest"];
  return [];
}

function hasTestScript(packageJson: string | null): boolean {
  try {
    const data = JSON.parse(packageJson ?? "null") as { scripts?: { test?: unknown } } | null;
    const script = data?.scripts?.test;
    // The line that `npm init` leaves behind fails always.
    return typeof script === "string" && script.trim() !== "" && !script.includes("no test specified");
  } catch {
    return false;
  }
}
