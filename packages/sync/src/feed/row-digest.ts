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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function first8(fields: readonly Field[]): string {
  const bytes = new Uint8Array(80);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of fields) {
    if ("u16" in field) view.setUint16(at, field.u16);
    else if ("u32" in field) view.setUint32(at, field.u32);
    else if ("u64" in field) view.setBigUint64(at, BigInt(field.u64));
    else if ("uuid" in field) putUuid(view, at, field.uuid);
    else putMac(bytes.subarray(at, at + 16), field.mac);
    at += "u16" in field ? 2 : "u32" in field ? 4 : "u64" in field ? 8 : 16;
  }
  let text = "";
  for (const byte of sha256(bytes.subarray(0, at)).subarray(0, 8)) text += HEX[byte];
  return text;
}

/** 16 bytes, however long the text is: what cannot be an id makes sums differ, and never a fault. */
function putUuid(into: DataView, at: number, uuid: string): void {
  const digits = uuid.replaceAll("-", "");
  for (let i = 0; i < 16; i += 4) into.setUint32(at + i, Number.parseInt(digits.slice(i * 2, i * 2 + 8), 16));
}

function putMac(into: Uint8Array, mac: string): void {
  if (!/^[\w-]{22}$/.test(mac)) return;
  const text = atob(mac.replaceAll("-", "+").replaceAll("_", "/"));
  for (let at = 0; at < 16; at++) into[at] = text.charCodeAt(at);
}
