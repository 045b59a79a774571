import type { Caller, LocalPorts } from "@codehands/api";
import { LOCAL_ENDPOINT, RUN_ID_HEADER } from "@codehands/api";
import { SECURITY_HEADERS } from "@codehands/api/http";
import { createLocalRouter, handleLocal } from "@codehands/api/local";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Log } from "../logs/open-log.ts";
import { answerHello } from "./answer-hello.ts";

export interface LocalAppOptions {
  ports: LocalPorts;
  log: Log;
  /** Who listens; the port is known once it is bound. */
  us: () => { port: number; token: string; version: string };
  /** Finds out who stands at the other end of this request's connection. */
  callerOf: (env: HttpBindings) => Promise<Caller>;
}

/** The daemon's routes. Whether a request may come here at all was decided before, by `checkRequest`. */
export function createLocalApp(options: LocalAppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  const router = createLocalRouter();

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.res.headers.set(name, value);
  });

  app.get("/hello", async (c) => {
    const reply = await answerHello(c.req.query("nonce"), options.us());
    return reply === null ? c.json({ error: "A nonce made for this port is needed." }, 400) : c.json(reply);
  });

  app.all(`${LOCAL_ENDPOINT}/*`, async (c) => {
    const context = { ports: options.ports, caller: await callerOf(c.req.method, c.req.header(RUN_ID_HEADER), c.env) };
    return handleLocal(c.req.raw, {
      router,
      context,
      onFault: ({ path, error }) => options.log.error({ path, error }, "a call failed by a fault of ours"),
    });
  });

  app.notFound((c) => c.json({ error: "There is nothing at this address." }, 404));
  app.onError((error, c) => {
    options.log.error({ path: c.req.path, error }, "a request failed by a fault of ours");
    return c.json({ error: "A fault of ours stopped this request. Its details are in the log." }, 500);
  });
  return app;

  async function callerOf(method: string, claimed: string | undefined, env: HttpBindings): Promise<Caller> {
    if (claimed !== undefined && claimed !== "") return { runId: claimed };
    // Whatever decides is a POST. A stream of events (GET) need not pay for the look into /proc.
    return method === "POST" ? options.callerOf(env) : { runId: null };
  }
}
