import { isRecord, readJson } from "../database/read-json.ts";

/** The cells of an event's row that its line is made of. */
export interface LineCells {
  id: string;
  seq: number;
  type: string;
  at: string;
  runId: string | null;
  /** JSON text, as it is stored. */
  payload: string;
  /** The number in the line, when the event was numbered anew. */
  wasSeq: number | null;
  /** The exact line, when the other cells cannot tell it. */
  line: string | null;
}

/** An event as its owner chains it (V14, V19): these fields in this order, the payload as it is stored. */
export function lineOf(cells: LineCells): string {
  if (cells.line !== null) return cells.line;
  return `${headOf({ ...cells, seq: cells.wasSeq ?? cells.seq })}${cells.payload}}`;
}

/** The cells of an event that came as a line and has the number `seq` now. `lineOf` gives the same line again. */
export function cellsOf({ id, line }: { id: string; line: string }, seq: number): LineCells {
  const json = readJson(line);
  const event = json.ok && isRecord(json.value) ? json.value : {};
  const { type, at, runId = null } = event;
  if (typeof type === "string" && typeof at === "string" && (runId === null || typeof runId === "string")) {
    const head = headOf({ id, seq: Number(event.seq), type, at, runId });
    const payload = line.slice(head.length, -1);
    if (line === `${head}${payload}}` && readJson(payload).ok) {
      const wasSeq = event.seq === seq ? null : Number(event.seq);
      return { id, seq, type, at, runId, payload, wasSeq, line: null };
    }
  }
  // Another version wrote it in its own way: it is shown as far as it is understood and kept byte for byte.
  const payload = JSON.stringify(isRecord(event.payload) ? event.payload : { unreadable: true });
  const shown = { type: typeof type === "string" ? type : "unknown", at: typeof at === "string" ? at : "" };
  return { id, seq, ...shown, runId: typeof runId === "string" ? runId : null, payload, wasSeq: null, line };
}

function headOf({ id, seq, type, at, runId }: Pick<LineCells, "id" | "seq" | "type" | "at" | "runId">): string {
  return `{"id":${JSON.stringify(id)},"seq":${seq},"type":${JSON.stringify(type)},"at":${JSON.stringify(at)},"runId":${JSON.stringify(runId)},"payload":`;
}
