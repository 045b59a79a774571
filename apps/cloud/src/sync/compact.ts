import type { CompactReply, CompactRequest } from "@codehands/api/cloud";
import type { Sql } from "postgres";
import { parseSegmentHeader, uuidBytes } from "./sealed-header.ts";

/** Replaces the segments from…to by one that holds the same events (S20). A repeat answers OK again. */
export async function compact(
  sql: Sql,
  caller: { accountId: string; deviceId: string },
  request: CompactRequest,
): Promise<CompactReply> {
  const body = Buffer.from(request.body, "base64url");
  const prevMac = Buffer.from(request.prevMac, "base64url");
  const mac = Buffer.from(request.mac, "base64url");
  const streamId = request.streamId.toLowerCase();
  const header = parseSegmentHeader(body);
  const agrees =
    header !== null &&
    header.writer.equals(uuidBytes(caller.deviceId)) &&
    header.streamId.equals(uuidBytes(streamId)) &&
    header.writerEpoch === request.writerEpoch &&
    header.from === request.from &&
    header.to === request.to &&
    header.before.equals(prevMac) &&
    header.after.equals(mac);
  if (!agrees) return { code: "RANGE" };
  const [answer] = await sql<{ code: "OK" | "FENCED" | "RANGE" | "BOOT" }[]>`
    select compact_segments(${caller.accountId}, ${caller.deviceId}, ${request.boot}, ${streamId}, ${request.writerEpoch},
      ${request.from}, ${request.to}, ${prevMac}, ${mac}, ${header.keyEpoch}, ${body}) as code`;
  if (answer === undefined || answer.code === "BOOT") return { reset: "boot" };
  return { code: answer.code };
}
