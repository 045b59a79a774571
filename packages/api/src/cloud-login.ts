/** Signing people up, in and out. A login gives account pages only; devices have tokens of their own. */
import { errorOfAnswer, unreachableCloud } from "./cloud-call-error.ts";
import { CLOUD_AUTH } from "./protocol.ts";

export interface CloudLogin {
  /** What `CloudConnection.login` takes: the cookie, for programs that keep none themselves. Null in a browser. */
  login: string | null;
}

interface Credentials {
  email: string;
  password: string;
}

/** Makes an account. The answer is the same whether the e-mail address was free or not; log in next. */
export async function signUp(url: string, credentials: Credentials, ask: typeof fetch = fetch): Promise<void> {
  // An account has no name: the cloud is told an address to log in with, and nothing else.
  await post(url, { path: "sign-up/email", body: { ...credentials, name: "" } }, ask);
}

/** Logs in. Throws CloudCallError `unauthorized` when address and password do not fit, `too_many` after five tries. */
export async function logIn(url: string, credentials: Credentials, ask: typeof fetch = fetch): Promise<CloudLogin> {
  const answer = await post(url, { path: "sign-in/email", body: { ...credentials } }, ask);
  return { login: loginOf(answer) };
}

/** Ends a login. In a browser the cookie of the page is meant. */
export async function logOut(url: string, { login }: CloudLogin, ask: typeof fetch = fetch): Promise<void> {
  await post(url, { path: "sign-out", body: {}, ...(login === null ? {} : { login }) }, ask);
}

/** Deletes the account of a login, whole. Devices keep what they hold. Throws `unauthorized` for another password. */
export async function deleteAccount(
  url: string,
  { login, password }: CloudLogin & { password: string },
  ask: typeof fetch = fetch,
): Promise<void> {
  await post(url, { path: "delete-account", body: { password }, ...(login === null ? {} : { login }) }, ask);
}

/** Sets a new password and ends every other login. Throws `unauthorized` when the old one is another. */
export async function changePassword(
  url: string,
  { login, ...body }: CloudLogin & { currentPassword: string; newPassword: string },
  ask: typeof fetch = fetch,
): Promise<CloudLogin> {
  const answer = await post(url, { path: "change-password", body, ...(login === null ? {} : { login }) }, ask);
  return { login: loginOf(answer) };
}

/** The cookies of an answer, for programs that keep none themselves; null where there are none to see. */
function loginOf(answer: Response): string | null {
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
  return cookies.length === 0 ? null : cookies.join("; ");
}

async function post(
  url: string,
  { path, body, login }: { path: string; body: Record<string, string>; login?: string },
  ask: typeof fetch,
): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    ...(login === undefined ? {} : { cookie: login, origin: new URL(url).origin }),
  };
  const answer = await ask(new URL(`${CLOUD_AUTH}/${path}`, url), {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw unreachableCloud(error);
  });
  if (answer.ok) return answer;
  const said: unknown = await answer.json().catch(() => null);
  throw errorOfAnswer(answer, said);
}
