import type { LoginCaller } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { CloudError } from "../http/cloud-error.ts";
import type { Auth } from "./open-auth.ts";

/** However often it is used, a login ends after this. */
export const LOGIN_DAYS = 90;

/** What better-auth knows of a login cookie; null without one. Throws `unavailable` when it cannot look. */
export async function readLogin(auth: Auth, headers: Headers) {
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  try {
    return await auth.api.getSession({ headers: new Headers({ cookie }) });
  } catch (error) {
    // It answers with null for whatever is wrong with a cookie; what it throws is that it could not ask the database.
    throw new CloudError("unavailable", "This cannot be done at the moment. Try again in a moment.", { cause: error });
  }
}

/** The person of a living login cookie; null without one. The first login of a person makes the account. */
export async function findLogin(
  headers: Headers,
  { auth, sql }: { auth: Auth; sql: Sql },
): Promise<LoginCaller | null> {
  const login = await readLogin(auth, headers);
  if (login === null) return null;
  const age = Date.now() - login.session.createdAt.getTime();
  if (age > LOGIN_DAYS * 24 * 60 * 60 * 1_000) return null;
  const accountId = login.user.id;
  const known = await sql`select 1 from accounts where id = ${accountId}`;
  if (known.count === 0) await sql`insert into accounts (id) values (${accountId}) on conflict (id) do nothing`;
  return { kind: "login", accountId };
}
