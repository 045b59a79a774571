import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "../database/test-database.test-kit.ts";
import { sweepExpired } from "./sweep-expired.ts";

let test1: TestDatabase;
beforeAll(async () => {
  test1 = await openTestDatabase();
});
afterAll(() => test1.drop());

test("what has expired goes, and what has not stays", async () => {
  const { sql } = test1.database;
  const [accountId, userId] = [randomUUID(), randomUUID()];
  const times = { past: new Date(Date.now() - 1_000), future: new Date(Date.now() + 60_000) };
  await sql`insert into auth_users (id, name, email) values (${userId}, '', 'a@example.org')`;
  for (const at of [times.past, times.future]) {
    for (const table of ["challenges", "access_tokens", "invitations"])
      await sql`
        insert into ${sql(table)} (account_id, hash, device_id, expires_at)
        values (${accountId}, ${randomBytes(32)}, ${randomUUID()}, ${at})`;
    await sql`
      insert into pairings (id, user_code_hash, poll_hash, platform, commit, state, expires_at)
      values (${randomUUID()}, ${randomBytes(32)}, ${randomBytes(32)}, 'linux', ${randomBytes(32)}, 'open', ${at})`;
    await sql`insert into auth_logins (id, user_id, token, expires_at) values (${randomUUID()}, ${userId}, ${randomUUID()}, ${at})`;
    await sql`insert into rate_limits (key, points, expire) values (${randomUUID()}, 1, ${at.getTime()})`;
  }
  await sql`
    insert into auth_logins (id, user_id, token, expires_at, created_at)
    values (${randomUUID()}, ${userId}, 'old', ${times.future}, now() - interval '91 days')`;
  await sweepExpired(sql);
  for (const table of ["challenges", "access_tokens", "invitations", "pairings", "auth_logins", "rate_limits"]) {
    const rows = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(table)}`;
    expect(rows[0]?.count, table).toBe(1);
  }
  expect(await sql`select 1 from auth_users`).toHaveLength(1);
});
