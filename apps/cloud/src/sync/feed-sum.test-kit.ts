import { createHash } from "node:crypto";
import type { PullPage } from "@codehands/contracts";

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex");

function number(value: number, bytes: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
}

/** The sum of a feed as a reader makes it (S11), written from the contract and not from the database's functions. */
export function feedSum(rows: PullPage["rows"]): string {
  let sum = 0n;
  for (const row of rows) {
    if (row.deleted) continue;
    const parts =
      row.row === "record"
        ? [number(row.kind, 2), bytesOf(row.id), number(row.version, 8), Buffer.from(row.mac, "base64url")]
        : [
            bytesOf(row.streamId),
            number(row.version, 8),
            number(row.lastSeq, 8),
            Buffer.from(row.tailMac, "base64url"),
            bytesOf(row.writer),
            number(row.writerEpoch, 4),
          ];
    sum ^= createHash("sha256").update(Buffer.concat(parts)).digest().readBigUInt64BE(0);
  }
  return sum.toString(16).padStart(16, "0");
}
