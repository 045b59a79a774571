import type { LoginCaller } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import type { Auth } from "./open-auth.ts";

/** However often it is used, a login ends after this. */
export const LOGIN_DAYS = 90;

/** The person of a living login cookie; null without one. The first login of a person makes the account. */
export async function findLogin(
  headers: Headers,
  { auth, sql }: { auth: Auth; sql: Sql },
): Promise<LoginCaller | null> {
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  const login = await auth.api.getSession({ headers: new Headers({ cookie }), query: { disableRefresh: false } });
  if (login === null) return null;
  const age = Date.now() - login.session.createdAt.getTime();
  if (age > LOGIN_DAYS * 24 * 60 * 60 * 1_000) return null;
  const accountId = login.user.id;
  const known = await sql`select 1 from accounts where id = ${accountId}`;
  if (known.count === 0) await sql`insert into accounts (id) values (${accountId}) on conflict (id) do nothing`;
  return { kind: "login", accountId };
}
