import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { parseNetworks } from "./http/client-address.ts";

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: "must be scheme://host[:port] without a path",
});
const listOf = (each: z.ZodType<string, string>) =>
  z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(each));
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/, "must be a whole number").transform(Number).pipe(z.number().min(min).max(max));

/** Every variable of the environment that a cloud reads. `.env.example` is made from it. */
export const CLOUD_ENVIRONMENT = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres://")
    .optional()
    .describe(
      "PostgreSQL 15 or newer, for example postgres://user:password@host:5432/name. Without it an embedded PostgreSQL runs in the data folder.",
    ),
  CODEHANDS_CLOUD_DATA_DIR: z
    .string()
    .startsWith("/", "must be an absolute path")
    .optional()
    .describe("The folder for the embedded PostgreSQL and the secret. Default: .codehands/cloud in your home."),
  CODEHANDS_CLOUD_HOST: z.string().min(1).default("127.0.0.1").describe("The address to listen on; 0.0.0.0 for all."),
  CODEHANDS_CLOUD_PORT: whole(0, 65_535).default(8_787).describe("The port to listen on; 0 takes any free one."),
  CODEHANDS_CLOUD_ORIGIN: listOf(origin)
    .optional()
    .describe(
      "What people and devices dial, for example https://hands.example.org; several with commas. Needed behind a proxy. Default: the addresses of this machine.",
    ),
  CODEHANDS_CLOUD_TLS_CERT: z
    .string()
    .min(1)
    .optional()
    .describe("A PEM file with the certificate chain. Together with the key: https without a proxy."),
  CODEHANDS_CLOUD_TLS_KEY: z.string().min(1).optional().describe("A PEM file with the certificate's private key."),
  CODEHANDS_CLOUD_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((networks) => parseNetworks(networks).ok, "must be addresses or networks such as 172.16.0.0/12")
    .optional()
    .describe("Proxies whose X-Forwarded-For is believed: addresses or networks, several with commas. Default: none."),
  CODEHANDS_CLOUD_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .optional()
    .describe(
      "Signs login cookies; the same on every server of one cloud. Default: made once and kept in the data folder.",
    ),
  CODEHANDS_CLOUD_SIGN_UP: z
    .enum(["open", "closed"])
    .default("open")
    .describe("closed: nobody can make a new account."),
  CODEHANDS_CLOUD_LOG_LEVEL: z
    .enum(["info", "warn", "error"])
    .default("info")
    .describe("The least important lines that are written."),
  CODEHANDS_CLOUD_STOP_NOTICE: whole(0, 60)
    .default(0)
    .describe("Seconds between /readyz saying 503 and the last new connection: the check interval of a load balancer."),
});
type Environment = z.infer<typeof CLOUD_ENVIRONMENT>;

/** Everything a cloud takes from outside at its start. */
export interface CloudConfig {
  host: string;
  port: number;
  /** Empty: made of the addresses of this machine once the port is known. */
  origins: readonly string[];
  tls: { cert: string; key: string } | null;
  /** Null: embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  secret: string | null;
  trustedProxies: readonly string[];
  signUp: "open" | "closed";
  logLevel: "info" | "warn" | "error";
  /** Seconds. */
  stopNotice: number;
  /** The database was put back to a backup: every account gets a new lineage. */
  restored: boolean;
}

export type ConfigReading = { ok: true; config: CloudConfig } | { ok: false; problems: string[] };

/** How the program is called, for a person. */
export const USAGE =
  "codehands serve [--port 8787] [--host 127.0.0.1] [--tls CERT KEY] [--database-url URL] [--data-dir DIR] [--restored]";

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  tls: { type: "string" },
  "database-url": { type: "string" },
  "data-dir": { type: "string" },
  restored: { type: "boolean" },
} as const;
const VARIABLE_OF = {
  port: "CODEHANDS_CLOUD_PORT",
  host: "CODEHANDS_CLOUD_HOST",
  "database-url": "DATABASE_URL",
  "data-dir": "CODEHANDS_CLOUD_DATA_DIR",
} as const;

/** Reads flags and environment; a flag wins. Names everything that is wrong at once. Changes nothing. */
export function readCloudConfig(
  words: readonly string[] = process.argv.slice(2),
  environment: NodeJS.ProcessEnv = process.env,
): ConfigReading {
  const problems: string[] = [];
  const given = fromFiles(environment, problems);
  const restored = applyFlags(words, given, problems);
  const parsed = CLOUD_ENVIRONMENT.safeParse(given);
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}.`));
  const { CODEHANDS_CLOUD_TLS_CERT: cert, CODEHANDS_CLOUD_TLS_KEY: key } = given;
  if ((cert === undefined) !== (key === undefined))
    problems.push("CODEHANDS_CLOUD_TLS_CERT and CODEHANDS_CLOUD_TLS_KEY belong together: give both or none.");
  if (!parsed.success || problems.length > 0) return { ok: false, problems };
  return { ok: true, config: { ...shape(parsed.data, environment), restored } };
}

/** What an operator's program takes: where the cloud's database is, said as it was said to the cloud, and words. */
export interface OperatorConfig extends Pick<CloudConfig, "databaseUrl" | "dataDir"> {
  json: boolean;
  /** The words that are no options. */
  words: string[];
}

export type OperatorReading =
  | { ok: true; config: OperatorConfig }
  /** `json`: how whoever asked wants to be told. */
  | { ok: false; problems: string[]; json: boolean };

/** Reads the two settings that lead to the database, from flags and environment as a cloud does. Changes nothing. */
export function readOperatorConfig(
  words: readonly string[] = process.argv.slice(2),
  environment: NodeJS.ProcessEnv = process.env,
): OperatorReading {
  const problems: string[] = [];
  const json = words.includes("--json");
  const { DATABASE_URL: url, CODEHANDS_CLOUD_DATA_DIR: folder } = fromFiles(environment, problems);
  const options = {
    "database-url": FLAGS["database-url"],
    "data-dir": FLAGS["data-dir"],
    json: { type: "boolean" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
    const dataDir = values["data-dir"] === undefined ? folder : resolve(values["data-dir"]);
    const given = { DATABASE_URL: values["database-url"] ?? url, CODEHANDS_CLOUD_DATA_DIR: dataDir };
    const parsed = CLOUD_ENVIRONMENT.safeParse(given);
    if (!parsed.success)
      problems.push(...parsed.error.issues.map((issue) => `${issue.path[0]?.toString()} ${issue.message}.`));
    if (!parsed.success || problems.length > 0) return { ok: false, problems, json };
    const { databaseUrl, dataDir: place } = shape(parsed.data, environment);
    return { ok: true, config: { databaseUrl, dataDir: place, json: values.json ?? false, words: positionals } };
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    return { ok: false, problems, json };
  }
}

function shape(variables: Environment, environment: NodeJS.ProcessEnv): Omit<CloudConfig, "restored"> {
  const { CODEHANDS_CLOUD_TLS_CERT: cert, CODEHANDS_CLOUD_TLS_KEY: key } = variables;
  return {
    host: variables.CODEHANDS_CLOUD_HOST,
    port: variables.CODEHANDS_CLOUD_PORT,
    origins: variables.CODEHANDS_CLOUD_ORIGIN ?? [],
    tls: cert === undefined || key === undefined ? null : { cert, key },
    databaseUrl: variables.DATABASE_URL ?? null,
    dataDir: variables.CODEHANDS_CLOUD_DATA_DIR ?? join(environment.HOME || homedir(), ".codehands", "cloud"),
    secret: variables.CODEHANDS_CLOUD_SECRET ?? null,
    trustedProxies: variables.CODEHANDS_CLOUD_TRUSTED_PROXIES ?? [],
    signUp: variables.CODEHANDS_CLOUD_SIGN_UP,
    logLevel: variables.CODEHANDS_CLOUD_LOG_LEVEL,
    stopNotice: variables.CODEHANDS_CLOUD_STOP_NOTICE,
  };
}

/** Each variable as it is, or what lies in the file that `NAME_FILE` names. An empty one counts as absent. */
function fromFiles(environment: NodeJS.ProcessEnv, problems: string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(CLOUD_ENVIRONMENT.shape)) {
    const value = environment[name] || undefined;
    const file = environment[`${name}_FILE`] || undefined;
    if (value !== undefined && file !== undefined) problems.push(`${name} and ${name}_FILE are both set: keep one.`);
    if (value !== undefined) given[name] = value;
    else if (file !== undefined) {
      try {
        given[name] = readFileSync(file, "utf8").trim();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        problems.push(`${name}_FILE names ${file}, which cannot be read (${code ?? String(error)}).`);
      }
    }
  }
  return given;
}

function applyFlags(words: readonly string[], given: Record<string, string>, problems: string[]): boolean {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
    for (const [flag, variable] of Object.entries(VARIABLE_OF)) {
      const value = values[flag as keyof typeof VARIABLE_OF];
      if (value !== undefined) given[variable] = flag === "data-dir" ? resolve(value) : value;
    }
    const [key, ...more] = positionals;
    if (values.tls !== undefined && key === undefined) problems.push("--tls takes two files: --tls CERT KEY.");
    if (values.tls !== undefined && key !== undefined) {
      given.CODEHANDS_CLOUD_TLS_CERT = values.tls;
      given.CODEHANDS_CLOUD_TLS_KEY = key;
    }
    const unknown = values.tls === undefined ? positionals : more;
    if (unknown.length > 0) problems.push(`${unknown.join(" ")} is not understood. ${USAGE}`);
    return values.restored ?? false;
  } catch (error) {
    problems.push(`${error instanceof Error ? error.message : String(error)} ${USAGE}`);
    return false;
  }
}

/** `.env.example`: every variable with what it is for and its default. */
export function renderEnvExample(): string {
  const entries = Object.entries(CLOUD_ENVIRONMENT.shape).map(([name, variable]) => {
    const standard = CLOUD_ENVIRONMENT.safeParse({}).data?.[name as keyof Environment];
    const words =
      `${variable.description ?? ""} ${standard === undefined ? "" : `Default: ${String(standard)}.`}`.trim();
    return `${wrap(words)}\n#${name}=\n`;
  });
  return `${ENV_HEAD}\n${entries.join("\n")}\n${ENV_TAIL}`;
}

const ENV_HEAD = `# Settings of a cloud of Code Hands, all of them optional. Copy this file to .env and take the # away from what you set.
# Each can be given as NAME_FILE as well: then it is what lies in that file.
`;
const ENV_TAIL = `# For compose.yaml only: the domain that Caddy gets a certificate for (profile tls).
#CODEHANDS_DOMAIN=
`;

/** Comment lines of at most 120 characters. */
function wrap(words: string): string {
  const lines = [""];
  for (const word of words.split(" ")) {
    if (`# ${lines.at(-1)} ${word}`.length > 120) lines.push("");
    lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  }
  return lines.map((line) => `# ${line}`).join("\n");
}
