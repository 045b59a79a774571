import { ApiError, errorOfStatus, unreachable } from "./api-error.ts";
import { helloNonce, helloProof, parseHello } from "./hello.ts";
import { PROTOCOL_VERSION, RUN_ID_HEADER } from "./protocol.ts";

/** Where the daemon listens, and what opens it. */
export interface Connection {
  /** The daemon's origin, `http://127.0.0.1:7433`. */
  url: string;
  token: string;
  /** The agent run this program descends from, so that the daemon can refuse what only a person may decide. */
  runId?: string | null;
  fetch?: typeof fetch;
  /** How long whoever listens may take to prove itself, milliseconds; 5,000 when absent. */
  helloTimeoutMs?: number;
}

const HELLO_TIMEOUT_MS = 5_000;
const READABLE = /^(application\/json|text\/event-stream)\b/;

/**
 * The token never goes where an answer points. Not `error`: with it, Node 20 forgets the abort signal once garbage is
 * collected, so that a stream could not be ended any more.
 */
const NEVER_FOLLOW = "manual";
const isRedirect = ({ status, type }: Response): boolean =>
  type === "opaqueredirect" || (status >= 300 && status < 400);

const portOf = (url: URL): number => Number(url.port || (url.protocol === "https:" ? 443 : 80));

/** Throws unless our daemon, speaking our protocol, listens there. The token is not sent. */
export async function proveDaemon(connection: Connection, signal?: AbortSignal | null): Promise<void> {
  const { token, fetch: ask = fetch, helloTimeoutMs = HELLO_TIMEOUT_MS } = connection;
  const hello = new URL("/hello", connection.url);
  const nonce = helloNonce(portOf(hello));
  hello.searchParams.set("nonce", nonce);
  const timeout = AbortSignal.timeout(helloTimeoutMs);
  const answer = await ask(hello, {
    redirect: NEVER_FOLLOW,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const reply = parseHello(await answer.json().catch(() => null));
  if (reply?.proof !== (await helloProof(token, nonce)))
    throw new ApiError("unreachable", `Another program answers at ${hello.origin}. Our token was not sent to it.`);
  if (reply.protocol !== PROTOCOL_VERSION)
    throw new ApiError(
      "version",
      `The daemon (${reply.version}) speaks protocol ${reply.protocol} and this program ${PROTOCOL_VERSION}. Run: codehands daemon restart`,
    );
}

/**
 * A fetch that sends the token only to a daemon that has just proved that it knows it, and that fails with an ApiError.
 * An abort of the caller's own signal stays an abort.
 */
export function provenFetch(connection: Connection): typeof fetch {
  const { token, runId, fetch: ask = fetch } = connection;
  return async (input, init) => {
    try {
      await proveDaemon(connection, init?.signal);
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${token}`);
      if (runId) headers.set(RUN_ID_HEADER, runId);
      const answer = await ask(input, { ...init, headers, redirect: NEVER_FOLLOW });
      if (answer.status === 401 || isRedirect(answer) || !READABLE.test(answer.headers.get("content-type") ?? "")) {
        await answer.body?.cancel();
        throw errorOfStatus(answer.status);
      }
      return answer;
    } catch (error) {
      if (error instanceof ApiError || init?.signal?.aborted) throw error;
      throw unreachable(error);
    }
  };
}
