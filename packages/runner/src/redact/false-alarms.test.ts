import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRedactor } from "./create-redactor.ts";
import { scanSecrets } from "./scan-secrets.ts";

const root = join(import.meta.dirname, "../../../..");
const CODE = /\.(?:[cm]?[jt]sx?|json|md|ya?ml)$/;

function filesBelow(folder: string, most: number): string[] {
  const found: string[] = [];
  const open = [folder];
  for (let next = open.pop(); next !== undefined && found.length < most; next = open.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !/^(?:node_modules|dist|\..*)$/.test(entry.name)) open.push(path);
      else if (entry.isFile() && CODE.test(entry.name) && statSync(path).size < 500_000) found.push(path);
    }
  }
  return found.slice(0, most);
}

test("fewer than 1 % of the lines of ordinary source code are masked, and fewer than 1 in 1,000 stop an approval", () => {
  const samples = ["vitest", "typescript", "@types/node"]
    .map((name) => join(root, "node_modules", name))
    .filter(existsSync);
  const folders = [join(root, "packages"), join(root, "apps"), ...samples.map((path) => realpathSync(path))];
  const redact = createRedactor({
    APP_KEY: "Zx81qTfP0aLk33mNwVyB",
    PATH: "/usr/bin:/bin",
    ANTHROPIC_MODEL: "claude-sonnet-5-5",
  });
  let lines = 0;
  let masked = 0;
  let alarms = 0;
  for (const path of folders.flatMap((folder) => filesBelow(folder, 400))) {
    const text = readFileSync(path, "utf8");
    const each = text.split("\n");
    lines += each.length;
    masked += each.filter((line) => redact(line) !== line).length;
    alarms += scanSecrets(text).length;
  }
  expect(lines).toBeGreaterThan(20_000);
  expect(masked / lines).toBeLessThan(0.01);
  expect(alarms / lines).toBeLessThan(0.001);
});
