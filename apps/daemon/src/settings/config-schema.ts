import type { AgentKind } from "@codehands/contracts";
import * as z from "zod";

const words = (what: string) =>
  z.array(z.string().min(1).max(4_096), `must be a list of texts: ${what}`).min(1, "must not be empty").max(64);
const text = (what: string) => z.string(`must be a text: ${what}`).min(1, "must not be empty").max(4_096);
const count = (from: number, to: number) =>
  z
    .int(`must be a whole number from ${from} to ${to}`)
    .min(from, `must be ${from} at least`)
    .max(to, `must be ${to} at most`);
const oneOf = <const T extends readonly [string, ...string[]]>(allowed: T) =>
  z.enum(allowed, `must be one of ${allowed.join(", ")}`);

/** The agents that this version can start. */
export const STARTABLE_AGENTS = ["claude-code", "codex", "sample"] as const satisfies readonly AgentKind[];

const agentShape = {
  command: words("the program and its words").optional(),
  model: text("the name of a model").optional(),
  env: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable"),
      "must be a list of names of environment variables",
    )
    .max(64)
    .optional(),
};

/** `config.json`. Every key is optional; a key that is not here is refused, so that a slip of the pen is told. */
export const configSchema = z.strictObject({
  agent: oneOf(STARTABLE_AGENTS).optional(),
  model: text("the name of a model").optional(),
  base: text("the branch or commit that sessions start from")
    .refine((ref) => !ref.startsWith("-"), "must not begin with a dash")
    .optional(),
  language: text("a language, for example en").optional(),
  budgetUsd: z
    .number("must be a number of US dollars")
    .positive("must be more than 0")
    .max(100_000, "must be 100000 at most")
    .optional(),
  testCommands: words("the commands that an agent may run without asking").optional(),
  concurrency: count(1, 64).optional(),
  idleMinutes: count(1, 10_000).optional(),
  wallMinutes: count(1, 100_000).optional(),
  trash: z.strictObject({ days: count(1, 3_650).optional() }).optional(),
  worktreeRoot: text("a folder")
    .refine((folder) => folder.startsWith("/"), "must be an absolute path")
    .optional(),
  port: count(1, 65_535).optional(),
  agents: z
    .strictObject({
      "claude-code": z.strictObject(agentShape).optional(),
      codex: z.strictObject(agentShape).optional(),
      sample: z.strictObject({ command: agentShape.command }).optional(),
    })
    .optional(),
  notify: z.boolean("must be true or false").optional(),
  // Failing closed is the whole point of `require`: a version that cannot wrap an agent must not pretend to.
  sandbox: z
    .enum(
      ["off", "auto"],
      "must be off or auto: this version cannot promise a sandbox, so `require` would let nothing run",
    )
    .optional(),
  cloud: z
    .strictObject({ url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional() })
    .optional(),
  commands: z.strictObject({ from: oneOf(["all", "native", "none"]).optional() }).optional(),
  sync: z.strictObject({ compress: z.boolean("must be true or false").optional() }).optional(),
});
export type ConfigFile = z.infer<typeof configSchema>;

export type ParsedConfig = { ok: true; config: ConfigFile } | { ok: false; problems: string[] };

/** Checks the text of `config.json`. Every problem is named, each with its key, not just the first. */
export function parseConfig(source: string): ParsedConfig {
  let data: unknown;
  try {
    data = JSON.parse(source.replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, problems: [`it is not valid JSON (${why})`] };
  }
  const parsed = configSchema.safeParse(data);
  return parsed.success ? { ok: true, config: parsed.data } : { ok: false, problems: problemsOf(parsed.error) };
}

/** One sentence part per problem: the dotted key, then what is wrong with it. */
export function problemsOf(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    const at = issue.path.map(String);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => `${[...at, key].join(".")} is not a known key`);
    }
    return [
      `${at.join(".") || "the file"} ${issue.message.startsWith("must") ? issue.message : `is not valid: ${issue.message}`}`,
    ];
  });
}
