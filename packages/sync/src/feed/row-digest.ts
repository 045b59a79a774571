import type { LogRow, RecordRow } from "@codehands/contracts";
import { EMPTY_SUM } from "../ports/sync-state.ts";
import { sha256 } from "./sha256.ts";

type Field = { u16: number } | { u32: number } | { u64: number } | { uuid: string } | { mac: string };

/** S11: what one record adds to the sum, 16 hex digits; a deleted one adds nothing. The layout is `PullPage.sum`'s. */
export function recordDigest(row: RecordRow | null): string {
  if (!row || row.deleted) return EMPTY_SUM;
  return first8([{ u16: row.kind }, { uuid: row.id }, { u64: row.version }, { mac: row.mac }]);
}

/** S11: the same for a log. */
export function logDigest(row: LogRow | null): string {
  if (!row || row.deleted) return EMPTY_SUM;
  return first8([
    { uuid: row.streamId },
    { u64: row.version },
    { u64: row.lastSeq },
    { mac: row.tailMac },
    { uuid: row.writer },
    { u32: row.writerEpoch },
  ]);
}

/** XOR of two sums of 16 hex digits. */
export function xorSums(a: string, b: string): string {
  return (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(16).padStart(16, "0");
}

function first8(fields: readonly Field[]): string {
  const bytes = new Uint8Array(80);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of fields) {
    if ("u16" in field) view.setUint16(at, field.u16);
    else if ("u32" in field) view.setUint32(at, field.u32);
    else if ("u64" in field) view.setBigUint64(at, BigInt(field.u64));
    else bytes.set("uuid" in field ? uuidBytes(field.uuid) : macBytes(field.mac), at);
    at += "u16" in field ? 2 : "u32" in field ? 4 : "u64" in field ? 8 : 16;
  }
  const digest = sha256(bytes.subarray(0, at)).subarray(0, 8);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** 16 bytes, however long the text is: what cannot be an id makes sums differ, and never a fault. */
function uuidBytes(uuid: string): Uint8Array {
  const digits = uuid.replaceAll("-", "").match(/../g) ?? [];
  return Uint8Array.from({ length: 16 }, (_, i) => Number.parseInt(digits[i] ?? "0", 16));
}

function macBytes(mac: string): Uint8Array {
  if (!/^[\w-]{22}$/.test(mac)) return new Uint8Array(16);
  const text = atob(mac.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
