/** The typed client of a cloud. It carries no schema and no router. */
import { createTRPCClient, type TRPCClient, TRPCClientError } from "@trpc/client";
import { callLinks, type StreamOpening } from "./call-links.ts";
import type { CloudRouter } from "./cloud.ts";
import { type CloudCallCode, CloudCallError, errorOfAnswer, unreachableCloud } from "./cloud-call-error.ts";
import { CLOUD_ENDPOINT } from "./protocol.ts";

export { type CloudCallCode, CloudCallError } from "./cloud-call-error.ts";
export { type CloudLogin, changePassword, deleteAccount, logIn, logOut, signUp } from "./cloud-login.ts";

export type CloudClient = TRPCClient<CloudRouter>;

export interface CloudConnection {
  /** The cloud's origin: scheme, host and port. It is what an access token is asked for. */
  url: string;
  /** The access token of the moment, null without one. Asked before every request. */
  token?: () => string | null | Promise<string | null>;
  /** The login that `logIn` gave; a browser has it as a cookie of its own. */
  login?: string;
  fetch?: typeof fetch;
}

const CODES: Readonly<Record<string, CloudCallCode>> = {
  UNAUTHORIZED: "unauthorized",
  FORBIDDEN: "refused",
  NOT_FOUND: "bad_request",
  BAD_REQUEST: "bad_request",
  PARSE_ERROR: "bad_request",
  METHOD_NOT_SUPPORTED: "bad_request",
  UNSUPPORTED_MEDIA_TYPE: "bad_request",
  PAYLOAD_TOO_LARGE: "too_large",
  TOO_MANY_REQUESTS: "too_many",
  SERVICE_UNAVAILABLE: "unavailable",
};

/** Turns whatever a call failed with into a CloudCallError; one that is one stays as it is. */
function toCloudCallError(error: unknown): CloudCallError {
  if (error instanceof CloudCallError) return error;
  if (!(error instanceof TRPCClientError)) return unreachableCloud(error);
  const data: { code?: unknown; retryAfter?: unknown } | null | undefined = error.data;
  if (typeof data?.code === "string") {
    const retryAfter = typeof data.retryAfter === "number" ? data.retryAfter : null;
    return new CloudCallError(CODES[data.code] ?? "internal", error.message, { cause: error, retryAfter });
  }
  const { response, responseJSON } = error.meta ?? {};
  if (response instanceof Response && !response.ok) return errorOfAnswer(response, responseJSON);
  return unreachableCloud(error.cause ?? error);
}

/** A stream that is refused ends at once and says why; one that is cut is opened again. */
async function endsStream(opening: StreamOpening): Promise<CloudCallError | null> {
  if ("error" in opening || opening.answer.ok) return null;
  const body: unknown = await opening.answer
    .clone()
    .json()
    .catch(() => null);
  return errorOfAnswer(opening.answer, body);
}

const authorized = (connection: CloudConnection): typeof fetch => {
  const ask = connection.fetch ?? fetch;
  return async (url, init) => {
    const headers = new Headers(init?.headers);
    const token = (await connection.token?.()) ?? null;
    if (token !== null) headers.set("authorization", `Bearer ${token}`);
    if (connection.login !== undefined) {
      headers.set("cookie", connection.login);
      headers.set("origin", new URL(connection.url).origin);
    }
    return ask(url, { ...init, headers });
  };
};

/**
 * Makes a client of the cloud at `url`. Failed calls throw CloudCallError. Token and inputs travel in headers and
 * bodies, never in a URL. `live.watch` comes back by itself after a cut.
 */
export function createCloudClient(connection: CloudConnection): CloudClient {
  const url = new URL(CLOUD_ENDPOINT, connection.url).href;
  const links = callLinks({ url, fetch: authorized(connection), nameError: toCloudCallError, endsStream });
  return createTRPCClient<CloudRouter>({ links });
}
