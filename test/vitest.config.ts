import { defineConfig } from "vitest/config";

// Tests read the sources of our packages; only the flows run what was built.
const resolve = { conditions: ["source", "node", "import", "default"] };
const ssr = { resolve: { conditions: ["source", "node", "import", "default"] } };

/** Their tests stand on a PostgreSQL of their own process. */
const SERVERS = ["apps/cloud/src/**/*.test.ts", "packages/pg-embedded/src/**/*.test.ts"];

/** Of a test that takes a second on a quiet machine: long enough for a slow and busy one, where it takes twenty. */
const PATIENCE = 60_000;

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  resolve,
  ssr,
  test: {
    // Much of the time is spent waiting for processes: one worker more than the two processors of a small machine.
    maxWorkers: 3,
    // What is waited for comes soon; on a busy machine a second is not enough.
    expect: { poll: { timeout: 20_000 } },
    reporters: ["default", new URL("./plain-reporter.ts", import.meta.url).pathname],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "apps/*/src/**/*.test.ts"],
          exclude: [...SERVERS, "**/*.long.test.ts", "**/*.browser.test.ts", "**/node_modules/**"],
          // No file changes what another one stands on: loading everything anew for each would take half of the time.
          isolate: false,
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
        },
      },
      {
        extends: true,
        test: {
          name: "servers",
          include: [...SERVERS, "test/walls/**/*.test.ts"],
          exclude: ["**/*.long.test.ts", "**/node_modules/**"],
          testTimeout: PATIENCE,
          hookTimeout: PATIENCE,
        },
      },
      {
        extends: true,
        test: {
          name: "flows",
          include: ["test/flows/**/*.test.ts"],
          exclude: ["**/*.long.test.ts", "**/node_modules/**"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: ["{packages,apps}/*/src/**/*.long.test.ts", "test/flows/**/*.long.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["packages/*/src/**/*.browser.test.ts"],
          globalSetup: [new URL("./kit/chromium.ts", import.meta.url).pathname],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: "agents", include: ["test/agents/**/*.test.ts"], testTimeout: 300_000, hookTimeout: 300_000 },
      },
    ],
  },
});
