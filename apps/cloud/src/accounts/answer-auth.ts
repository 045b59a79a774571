import type { Sql } from "postgres";
import * as z from "zod";
import { whenReachable } from "../database/when-reachable.ts";
import { CloudError } from "../http/cloud-error.ts";
import type { Limits } from "../limits/open-limits.ts";
import { emailAddress, refuseNewPassword, typedPassword } from "./credential-rules.ts";
import { deleteAccount } from "./delete-account.ts";
import { readLogin } from "./find-login.ts";
import { verifyPassword } from "./hash-password.ts";
import { ADDRESS_HEADER, type Auth } from "./open-auth.ts";

const password = typedPassword;
const credentials = z.object({ email: emailAddress, password });
const newPassword = z.object({ currentPassword: password, newPassword: password });

export interface AuthDeps {
  auth: Auth;
  sql: Sql;
  limits: Limits;
  signUp: "open" | "closed";
}

type Route = (request: Request, body: unknown, deps: AuthDeps & { address: string }) => Promise<Response>;

/** Everything that people's logins can do; whatever else better-auth has is not reachable. */
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /auth/sign-up/email": signUp,
  "POST /auth/sign-in/email": signIn,
  "POST /auth/sign-out": async (request, _body, deps) => plain(await forward(request, {}, deps), { ok: true }),
  "POST /auth/change-password": changePassword,
  "POST /auth/delete-account": removeAccount,
};

/** Answers one request below /auth: limits first, then better-auth. Throws CloudError `too_many`, `unavailable`. */
export async function answerAuth(request: Request, deps: AuthDeps & { address: string }): Promise<Response> {
  const route = ROUTES[`${request.method} ${new URL(request.url).pathname}`];
  if (route === undefined) return refuse(404, "There is nothing at this address.");
  const body: unknown = await request.json().catch(() => null);
  return route(request, body, deps);
}

async function signUp(...[request, body, deps]: Parameters<Route>): Promise<Response> {
  if (deps.signUp === "closed") return refuse(403, "This cloud takes no new accounts. Ask the person who runs it.");
  const given = credentials.safeParse(body);
  if (!given.success) return refuse(400, "An e-mail address and a password are needed.");
  const refusal = refuseNewPassword(given.data.password);
  if (refusal !== null) return refuse(400, refusal);
  await deps.limits.take("sign-up-address", deps.address);
  // Accounts have no name here: it would stand in clear.
  const answer = await forward(request, { ...given.data, name: "" }, deps);
  return plain(answer, { ok: true });
}

async function signIn(...[request, body, deps]: Parameters<Route>): Promise<Response> {
  const given = credentials.safeParse(body);
  if (!given.success) return refuse(400, "An e-mail address and a password are needed.");
  await deps.limits.take("login-address", deps.address);
  await deps.limits.take("login-account", given.data.email);
  const checkedAgainst = await storedHash(deps.sql, given.data.email);
  const answer = await forward(request, given.data, deps);
  const stays = !answer.ok || (await storedHash(deps.sql, given.data.email)) === checkedAgainst;
  // The password was set anew while this one was checked: whoever does that wants it out.
  if (!stays) await endLogin(deps.sql, answer);
  if (!stays || answer.status === 401)
    return refuse(401, "This e-mail address and this password do not belong together.");
  if (answer.ok) await deps.limits.forget("login-account", given.data.email);
  return plain(answer, { ok: true });
}

/** What passwords of this person are checked against; null for nobody. */
async function storedHash(sql: Sql, address: string): Promise<string | null> {
  const [stored] = await whenReachable(
    () => sql<{ password: string | null }[]>`
      select password from auth_credentials join auth_users on auth_users.id = user_id
      where email = ${address} and provider_id = 'credential'`,
  );
  return stored?.password ?? null;
}

/** Takes back the login that better-auth just began; its token stands in the answer. */
async function endLogin(sql: Sql, answer: Response): Promise<void> {
  const { token } = z.object({ token: z.string() }).parse(await answer.clone().json());
  await whenReachable(() => sql`delete from auth_logins where token = ${token}`);
}

async function changePassword(...[request, body, deps]: Parameters<Route>): Promise<Response> {
  const given = newPassword.safeParse(body);
  if (!given.success) return refuse(400, "The password of now and a new one are needed.");
  const refusal = refuseNewPassword(given.data.newPassword);
  if (refusal !== null) return refuse(400, refusal);
  const login = await readLogin(deps.auth, request.headers);
  if (login === null) return refuse(401, "Log in first.");
  await deps.limits.take("login-account", login.user.email);
  // Whoever knew the old one is out.
  const answer = await forward(request, { ...given.data, revokeOtherSessions: true }, deps);
  if (answer.status === 400 || answer.status === 401)
    return refuse(401, "The password of now is another. Nothing was changed.");
  return plain(answer, { ok: true });
}

async function removeAccount(...[request, body, deps]: Parameters<Route>): Promise<Response> {
  const given = z.object({ password }).safeParse(body);
  if (!given.success) return refuse(400, "The password is needed. Nothing was deleted.");
  const login = await readLogin(deps.auth, request.headers);
  if (login === null) return refuse(401, "Log in first. Nothing was deleted.");
  await deps.limits.take("login-account", login.user.email);
  const [stored] = await deps.sql<{ password: string }[]>`
    select password from auth_credentials where user_id = ${login.user.id} and provider_id = 'credential'`;
  if (!(await verifyPassword({ hash: stored?.password ?? "", password: given.data.password })))
    return refuse(401, "This is not the password. Nothing was deleted.");
  await deleteAccount(deps.sql, login.user.id);
  await deps.limits.forget("login-account", login.user.email);
  return Response.json({ ok: true });
}

/** Hands a request on with exactly what better-auth needs of it. */
async function forward(request: Request, body: object, deps: { auth: Auth; address: string }): Promise<Response> {
  // better-auth keeps with a login where it came from, and takes no network for an address.
  const address = deps.address.replace(/\/64$/, "");
  const headers = new Headers({ "content-type": "application/json", [ADDRESS_HEADER]: address });
  // Site and mode were judged by our own gate; better-auth would ask programs for an origin because of them.
  for (const name of ["cookie", "origin"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const answer = await deps.auth.handler(
    new Request(request.url, { method: "POST", headers, body: JSON.stringify(body) }),
  );
  // 422 is a row that could not be written: tried again, an address that was just taken answers like every other.
  if (answer.status >= 500 || answer.status === 422)
    throw new CloudError("unavailable", "This cannot be done at the moment. Try again in a moment.");
  return answer;
}

/** The answer without what better-auth says of the person, but with its cookies. */
function plain(answer: Response, body: object): Response {
  if (!answer.ok) return refuse(answer.status, "This was refused. Nothing was changed.");
  const headers = new Headers({ "content-type": "application/json" });
  for (const cookie of answer.headers.getSetCookie()) headers.append("set-cookie", cookie);
  return new Response(JSON.stringify(body), { status: 200, headers });
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
