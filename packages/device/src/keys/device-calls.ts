import { CloudCallError, type CloudClient, createCloudClient } from "@codehands/api/cloud-client";
import { type AccessTokens, openAccessTokens } from "./access-tokens.ts";
import { askToken, type TokenWish } from "./ask-token.ts";

/** The cloud, as a device with a token calls it. */
export interface DeviceCalls {
  /** Makes one request; a token that does not count any more is replaced once. */
  call<T>(ask: (client: CloudClient) => Promise<T>): Promise<T>;
  /** For streams: they are open as long as they are wanted, and see to their token themselves. */
  streams: CloudClient;
  tokens: AccessTokens;
}

export interface CallOptions {
  url: string;
  /** Who asks for a token: asked each time, since the roster grows. */
  wish: () => TokenWish;
  /** Ends all that is on its way. */
  signal: AbortSignal;
  fetch?: typeof fetch | undefined;
}

/** No answer after this is none: a network that went away says nothing. */
const ANSWER_MS = 90_000;

/** Opens the calls of a device. */
export function openDeviceCalls({ url, wish, signal, fetch: given }: CallOptions): DeviceCalls {
  const ask = given ?? fetch;
  const through: typeof fetch = (to, init) => ask(to, { ...init, signal: joined(init?.signal, [signal]) });
  const timed: typeof fetch = (to, init) =>
    through(to, { ...init, signal: joined(init?.signal, [AbortSignal.timeout(ANSWER_MS)]) });
  const bare = createCloudClient({ url, fetch: timed });
  const tokens = openAccessTokens(
    () => askToken(bare, wish()),
    () => performance.now(),
  );
  const token = (): Promise<string> => tokens.current();
  const client = createCloudClient({ url, token, fetch: timed });
  return {
    streams: createCloudClient({ url, token, fetch: through }),
    tokens,
    async call(request) {
      // Asked here, since what a token is refused with would be told as a broken connection inside of a request.
      await tokens.current();
      try {
        return await request(client);
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        tokens.drop();
        await tokens.current();
        return request(client);
      }
    },
  };
}

/** True for a token that was refused. */
export const isUnauthorized = (error: unknown): boolean =>
  error instanceof CloudCallError && error.code === "unauthorized";

const joined = (own: AbortSignal | null | undefined, others: AbortSignal[]): AbortSignal =>
  AbortSignal.any(own ? [own, ...others] : others);
