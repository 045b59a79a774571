import { createHash } from "node:crypto";
import * as z from "zod";
import { createCloudRouter } from "./cloud.ts";
import { createLocalRouter } from "./local.ts";
import { livePoke } from "./schemas/cloud/live.ts";
import { watchFrame } from "./schemas/session.ts";

interface ProcedureParts {
  type: string;
  inputs: unknown[];
  output?: unknown;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
};

const asSchema = (parser: unknown, io: "input" | "output"): unknown =>
  // Without an output there is nothing to describe, `shutdown` for one.
  parser instanceof z.ZodVoid || parser === undefined ? null : z.toJSONSchema(parser as z.ZodType, { io });

function describe(
  procedures: object,
  { prefix, streams }: { prefix: string; streams: z.ZodType },
): Record<string, unknown> {
  // Flat at run time, by full name; the type is nested by noun.
  const described = Object.entries(procedures as Record<string, { _def: ProcedureParts }>).map(([name, procedure]) => {
    const { type, inputs, output } = procedure._def;
    const gives = type === "subscription" ? streams : output;
    return [prefix + name, { type, takes: asSchema(inputs[0], "input"), gives: asSchema(gives, "output") }];
  });
  return Object.fromEntries(described);
}

/** Every procedure with its kind and the JSON schemas of what it takes and gives. */
export function wireSchemas(): Record<string, unknown> {
  return {
    ...describe(createLocalRouter()._def.procedures, { prefix: "", streams: watchFrame }),
    ...describe(createCloudRouter()._def.procedures, { prefix: "cloud.", streams: livePoke }),
  };
}

/** SHA-256 of all wire schemas, hex. The order of procedures and fields does not count. */
export function hashWire(): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(wireSchemas())))
    .digest("hex");
}
