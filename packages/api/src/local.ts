/** What a daemon serves, and a browser runs over its replica. */
import { createCallerFactory, router } from "./procedure.ts";
import { account } from "./routers/account.ts";
import { devices } from "./routers/account-devices.ts";
import { agents } from "./routers/agents.ts";
import { health } from "./routers/health.ts";
import { pair } from "./routers/pair.ts";
import { repos } from "./routers/repos.ts";
import { sessions } from "./routers/sessions.ts";
import { settings } from "./routers/settings.ts";
import { sync } from "./routers/sync.ts";
import { usage } from "./routers/usage.ts";

export type { LocalContext } from "./context.ts";
export { handleLocal } from "./handle-local.ts";
export { createInProcessClient } from "./in-process-client.ts";

/** The router of all local nouns. Its ports and its caller come with the context of each call. */
export function createLocalRouter() {
  return router({ sessions, repos, health, settings, usage, agents, account, pair, devices, sync });
}

export type LocalRouter = ReturnType<typeof createLocalRouter>;

/** Makes callers in the same process: `createLocalCaller(context).sessions.list({})`. */
export const createLocalCaller = createCallerFactory(createLocalRouter());
