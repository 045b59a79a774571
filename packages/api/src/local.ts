/** What a daemon serves, and a browser runs over its replica. */
import { createCallerFactory, router } from "./procedure.ts";
import { agents } from "./routers/agents.ts";
import { health } from "./routers/health.ts";
import { repos } from "./routers/repos.ts";
import { sessions } from "./routers/sessions.ts";
import { settings } from "./routers/settings.ts";
import { usage } from "./routers/usage.ts";

export type { LocalContext } from "./context.ts";
export { handleLocal } from "./handle-local.ts";

/** The router of all local nouns. Its ports and its caller come with the context of each call. */
export function createLocalRouter() {
  return router({ sessions, repos, health, settings, usage, agents });
}

export type LocalRouter = ReturnType<typeof createLocalRouter>;

/** Makes callers in the same process: `createLocalCaller(context).sessions.list({})`. */
export const createLocalCaller = createCallerFactory(createLocalRouter());
