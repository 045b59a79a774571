import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CLOUD_ENVIRONMENT, readCloudConfig, renderEnvExample } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "codehands-config-"));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (text: string): string => {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, text);
  return path;
};
const read = (words: string[], environment: NodeJS.ProcessEnv = {}) => readCloudConfig(words, environment);
const configOf = (words: string[], environment: NodeJS.ProcessEnv = {}) => {
  const reading = read(words, environment);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return reading.config;
};
const problemsOf = (words: string[], environment: NodeJS.ProcessEnv = {}) => {
  const reading = read(words, environment);
  return reading.ok ? [] : reading.problems;
};

test("without a word it is a cloud for one machine, with a database of its own", () => {
  expect(configOf([], { HOME: "/home/you" })).toEqual({
    host: "127.0.0.1",
    port: 8787,
    origins: [],
    tls: null,
    databaseUrl: null,
    dataDir: "/home/you/.codehands/cloud",
    secret: null,
    trustedProxies: [],
    signUp: "open",
    logLevel: "info",
    stopNotice: 0,
    restored: false,
  });
});

test("flags win over the environment", () => {
  const words = "--port 0 --host 0.0.0.0 --tls cert.pem key.pem --database-url postgres://b/b --data-dir /d --restored";
  const environment = { CODEHANDS_CLOUD_PORT: "1", DATABASE_URL: "postgres://a/a", CODEHANDS_CLOUD_HOST: "::1" };
  expect(configOf(words.split(" "), environment)).toMatchObject({
    port: 0,
    host: "0.0.0.0",
    tls: { cert: "cert.pem", key: "key.pem" },
    databaseUrl: "postgres://b/b",
    dataDir: "/d",
    restored: true,
  });
});

test("lists are read with commas, and a variable may lie in a file", () => {
  const environment = {
    CODEHANDS_CLOUD_ORIGIN: "https://a.example, https://b.example:8443",
    CODEHANDS_CLOUD_TRUSTED_PROXIES: "10.0.0.0/8,::1",
    CODEHANDS_CLOUD_SECRET_FILE: fileOf(`${"s".repeat(40)}\n`),
    DATABASE_URL_FILE: fileOf("postgresql://user:word@db/x\n"),
    CODEHANDS_CLOUD_PORT: "",
  };
  expect(configOf([], environment)).toMatchObject({
    origins: ["https://a.example", "https://b.example:8443"],
    trustedProxies: ["10.0.0.0/8", "::1"],
    secret: "s".repeat(40),
    databaseUrl: "postgresql://user:word@db/x",
    port: 8787,
  });
});

test("everything that is wrong is told at once, and no secret is in it", () => {
  const environment = {
    DATABASE_URL: "mysql://user:pa55word@db/x",
    CODEHANDS_CLOUD_PORT: "70000",
    CODEHANDS_CLOUD_ORIGIN: "https://a.example/path",
    CODEHANDS_CLOUD_TRUSTED_PROXIES: "proxy",
    CODEHANDS_CLOUD_SECRET: "pa55word",
    CODEHANDS_CLOUD_TLS_CERT: "cert.pem",
    CODEHANDS_CLOUD_SIGN_UP: "maybe",
    CODEHANDS_CLOUD_DATA_DIR: "relative",
    CODEHANDS_CLOUD_LOG_LEVEL_FILE: "/not/there",
  };
  const problems = problemsOf(["--prot", "1"], environment).join("\n");
  for (const name of [...Object.keys(environment), "--prot"]) expect(problems).toContain(name);
  expect(problems).not.toContain("pa55word");
});

test.each([[["--tls", "cert.pem"]], [["stop"]], [["--tls", "a", "b", "c"]], [["--port"]]])(
  "%j is not understood",
  (words) => {
    expect(problemsOf(words)).toHaveLength(1);
  },
);

test("a variable that is there twice is a question, not an answer", () => {
  const environment = { DATABASE_URL: "postgres://a/a", DATABASE_URL_FILE: fileOf("postgres://b/b") };
  expect(problemsOf([], environment)).toEqual([expect.stringContaining("both set")]);
});

const docker = new URL("../../../infra/docker/", import.meta.url);
const treeOf = (tree: Tree | string | undefined, ...names: string[]): Tree => {
  const found = names.reduce<Tree | string | undefined>(
    (inner, name) => (typeof inner === "object" ? inner[name] : undefined),
    tree,
  );
  if (typeof found !== "object") throw new Error(`no map ${names.join(".")}`);
  return found;
};
const textOf = (name: string): string => readFileSync(new URL(name, docker), "utf8");

describe("infra/docker", () => {
  test(".env.example is the one that the schema makes (write it anew with CODEHANDS_WRITE_ENV_EXAMPLE=1)", () => {
    if (process.env.CODEHANDS_WRITE_ENV_EXAMPLE === "1")
      writeFileSync(new URL(".env.example", docker), renderEnvExample());
    expect(textOf(".env.example")).toBe(renderEnvExample());
  });

  test("compose.yaml sets variables that the cloud reads, waits for a healthy PostgreSQL 18, and publishes no database", () => {
    const compose = parseYaml(textOf("compose.yaml"));
    const cloud = treeOf(compose, "services", "cloud");
    const database = treeOf(compose, "services", "database");
    const caddy = treeOf(compose, "services", "caddy");
    const environment = treeOf(cloud, "environment");
    for (const name of Object.keys(environment))
      expect(Object.keys(CLOUD_ENVIRONMENT.shape)).toContain(name.replace(/_FILE$/, ""));
    expect(cloud).toMatchObject({ depends_on: { database: { condition: "service_healthy" } }, read_only: "true" });
    expect(cloud.cap_drop).toBe("[ALL]");
    expect(cloud.ports).toBe('["127.0.0.1:8787:8787"]');
    expect(database).toMatchObject({ image: "postgres:18", volumes: '["database:/var/lib/postgresql"]' });
    expect(treeOf(database, "healthcheck").test).toContain("pg_isready");
    expect(database).not.toHaveProperty("ports");
    expect(caddy).toMatchObject({ profiles: "[tls]", depends_on: { cloud: { condition: "service_healthy" } } });
    // The one address whose X-Forwarded-For is believed is Caddy's.
    const address = treeOf(caddy, "networks", "inside").ipv4_address;
    expect(address).toMatch(/^172\.31\.87\.\d+$/);
    expect(environment.CODEHANDS_CLOUD_TRUSTED_PROXIES).toBe(address);
    expect(Object.keys(treeOf(compose, "secrets")).sort()).toEqual([
      "cloud_secret",
      "database_password",
      "database_url",
    ]);
    // An orderly end has more time than it takes.
    const { stop_grace_period: grace } = cloud;
    expect(typeof grace === "string" ? Number.parseInt(grace, 10) : 0).toBeGreaterThan(60 + 20);
  });

  test("the settings that compose.yaml sets are a cloud's", () => {
    const set = treeOf(parseYaml(textOf("compose.yaml")), "services", "cloud", "environment");
    const environment = Object.fromEntries(
      Object.entries(set as Record<string, string>)
        .filter(([name]) => !name.endsWith("_FILE"))
        .map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, "$1").replaceAll('"', "")]),
    );
    expect(problemsOf([], environment)).toEqual([]);
  });

  test("the image runs the built program as a user who owns nothing of it", () => {
    const lines = textOf("cloud.dockerfile").split("\n");
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));
    expect(lines.filter((line) => line.startsWith("FROM "))).toHaveLength(2);
    expect(last.filter((line) => line.startsWith("USER "))).toEqual(["USER node"]);
    expect(last).toContain('CMD ["node", "dist/main.js"]');
    expect(last.find((line) => line.startsWith("COPY "))).toBe("COPY --from=build /out /app");
    expect(last.join("\n")).toContain("/readyz");
    const environment = Object.fromEntries(
      [...last.join("\n").matchAll(/(CODEHANDS_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(problemsOf([], environment)).toEqual([]);
    expect(environment.CODEHANDS_CLOUD_HOST).toBe("0.0.0.0");
  });

  test("Caddy hands streams on as they come", () => {
    expect(textOf("caddyfile")).toMatch(/reverse_proxy cloud:8787 \{[^}]*flush_interval -1/);
  });
});

interface Tree {
  [name: string]: string | Tree;
}

/** Maps of YAML by their indentation; every other value stays the text it is. Enough for a file of ours. */
function parseYaml(text: string): Tree {
  const root: Tree = {};
  const open: { depth: number; tree: Tree }[] = [{ depth: -1, tree: root }];
  for (const line of text.split("\n")) {
    const [, spaces = "", name, value = ""] = /^( *)([\w.-]+): ?(.*)$/.exec(line.replace(/(^|\s)#.*$/, "")) ?? [];
    if (name === undefined) continue;
    while ((open.at(-1)?.depth ?? -1) >= spaces.length) open.pop();
    const tree = open.at(-1)?.tree ?? root;
    if (value.trim() !== "") tree[name] = value.trim();
    else {
      const inner: Tree = {};
      tree[name] = inner;
      open.push({ depth: spaces.length, tree: inner });
    }
  }
  return root;
}
