import type { SyncHello, SyncHelloReply } from "@codehands/api/cloud";
import type { Sql } from "postgres";

interface HelloRow {
  answer: "OK" | "COPY" | "UNKNOWN" | "REVOKED";
  seen: string | null;
  lineage: string | null;
}

/** A process introduces itself (S1–S5, T1c): from then on pushes of earlier processes of this device are refused (S4). */
export async function hello(
  sql: Sql,
  caller: { accountId: string; deviceId: string },
  asked: SyncHello,
): Promise<SyncHelloReply> {
  const [row] = await sql<HelloRow[]>`
    select * from hello_device(${caller.accountId}, ${caller.deviceId}, ${asked.boot}, ${`{${asked.boots.join(",")}}`},
      ${asked.mode ?? null}, ${asked.seen ?? null})`;
  if (row?.answer === "OK" && row.lineage !== null) return { answer: "OK", epoch: row.lineage };
  if (row?.answer === "COPY" && row.seen !== null) return { answer: "COPY", seen: row.seen };
  return { answer: row?.answer === "REVOKED" ? "REVOKED" : "UNKNOWN" };
}
