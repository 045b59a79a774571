import { type CloudClient, createCloudClient, logIn, logOut } from "@codehands/api/cloud-client";

export interface LoginInput {
  cloudUrl: string;
  email: string;
  password: string;
}

/** Logs in, works, and ends the login again: neither password nor cookie is kept. Throws CloudCallError. */
export async function withLogin<T>(
  { cloudUrl: url, email, password }: LoginInput,
  through: { fetch?: typeof fetch | undefined },
  work: (client: CloudClient) => Promise<T>,
): Promise<T> {
  const ask = through.fetch ?? fetch;
  const { login } = await logIn(url, { email, password }, ask);
  try {
    return await work(createCloudClient({ url, fetch: ask, ...(login === null ? {} : { login }) }));
  } finally {
    // A login that cannot be ended now ends by itself.
    await logOut(url, { login }, ask).catch(() => undefined);
  }
}
