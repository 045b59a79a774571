import type { WireStatement } from "@codehands/api/cloud";
import { fromBase64url } from "@codehands/vault";

/** What is read of a statement that was verified when it was taken. */
export interface StatementFacts {
  /** A device id, or "recovery". */
  by: string;
  /** For display only. */
  at: string;
  ops: { op: string; id?: string }[];
}

/** Reads a verified statement's body. */
export const readStatement = ({ body }: WireStatement): StatementFacts =>
  JSON.parse(new TextDecoder().decode(fromBase64url(body))) as StatementFacts;
