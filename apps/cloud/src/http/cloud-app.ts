import type { BlockList } from "node:net";
import { CLOUD_AUTH, CLOUD_ENDPOINT, PROTOCOL_VERSION } from "@codehands/api";
import { type CloudPorts, createCloudRouter, handleCloud } from "@codehands/api/cloud";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { type AuthDeps, answerAuth } from "../accounts/answer-auth.ts";
import type { Readiness } from "../health/readiness.ts";
import type { Log } from "../logs/open-log.ts";
import { callContext } from "./call-context.ts";
import { addressKey, clientAddress } from "./client-address.ts";
import { CloudError } from "./cloud-error.ts";
import type { CallerSources } from "./find-caller.ts";

/** What the routes stand on once the database is open. */
export interface OpenParts {
  ports: CloudPorts;
  callers: CallerSources;
  auth: AuthDeps;
}

export interface CloudAppOptions {
  /** Null while the server starts. */
  parts: () => OpenParts | null;
  readiness: Readiness;
  trustedProxies: BlockList;
  /** What every answer carries. */
  headers: () => Readonly<Record<string, string>>;
  version: string;
  log: Log;
}

/** The cloud's routes. Whether a request may come here at all was decided before, by `checkRequest`. */
export function createCloudApp(options: CloudAppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const router = createCloudRouter();

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(options.headers())) c.res.headers.set(name, value);
  });

  app.get("/livez", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const { status, reason } = await options.readiness.check();
    return c.json({ ok: status === 200, reason }, status);
  });
  app.get("/version", (c) => c.json({ version: options.version, protocol: PROTOCOL_VERSION }));

  app.post(`${CLOUD_AUTH}/*`, async (c) => {
    const parts = options.parts();
    if (parts === null) return c.json(STARTING, 503, { "retry-after": "2" });
    const peer = c.env.incoming.socket.remoteAddress;
    const address = clientAddress(peer, c.req.header("x-forwarded-for"), options.trustedProxies);
    return answerAuth(c.req.raw, { ...parts.auth, address: addressKey(address) });
  });

  app.all(`${CLOUD_ENDPOINT}/*`, async (c) => {
    const parts = options.parts();
    if (parts === null) return c.json(STARTING, 503, { "retry-after": "2" });
    const { headers } = c.req.raw;
    const peer = c.env.incoming.socket.remoteAddress;
    return handleCloud(c.req.raw, {
      router,
      context: await callContext(parts, { headers, peer, trusted: options.trustedProxies }),
      onFault: ({ path, error }) => options.log.error({ path, error }, "a call failed by a fault of ours"),
    });
  });

  app.notFound((c) => c.json({ error: "There is nothing at this address." }, 404));
  app.onError((error, c) => {
    if (error instanceof CloudError && error.code === "too_many")
      return c.json({ error: error.message }, 429, { "retry-after": String(error.retryAfter ?? 1) });
    options.log.error({ path: c.req.path, error }, "a request failed by a fault of ours");
    if (error instanceof CloudError && error.code === "unavailable") return c.json({ error: error.message }, 503);
    return c.json({ error: "A fault of ours stopped this request. Its details are in the log." }, 500);
  });
  return app;
}

const STARTING = { error: "This cloud is starting. Try again in a moment." };
