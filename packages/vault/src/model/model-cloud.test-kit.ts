/** A row as the cloud keeps it: what it says beside the sealed bytes is a hint. */
export interface CloudRow {
  kind: number;
  id: string;
  version: number;
  rev: number;
  writer: string;
  n: number;
  /** Of the item as it was written, for the test alone: no device looks at it. */
  hash: Uint8Array;
  item: Uint8Array;
}

export interface CloudSegment {
  stream: string;
  from: number;
  item: Uint8Array;
}

export const keyOf = ({ kind, id }: { kind: number; id: string }): string => `${kind}/${id}`;

/** What a cloud answers. A liar changes it on the way out; what is stored stays true, so that the test knows it. */
export interface Answers {
  row(row: CloudRow, reader: string): CloudRow | null;
  segments(segments: CloudSegment[], reader: string): CloudSegment[];
}
export const HONEST: Answers = { row: (row) => row, segments: (segments) => segments };

/** A cloud with one counter for its feed. */
export class ModelCloud {
  readonly rows = new Map<string, CloudRow>();
  readonly segments: CloudSegment[] = [];
  /** Every item that was ever written, oldest first. */
  readonly history: CloudRow[] = [];
  head = 0;
  answers: Answers = HONEST;

  put(row: Omit<CloudRow, "version">): void {
    const stored = { ...row, version: ++this.head };
    this.rows.set(keyOf(row), stored);
    this.history.push(stored);
  }

  /** A page of at most three rows after a version, as this reader is told. */
  page(after: number, reader: string): { rows: CloudRow[]; next: number; more: boolean } {
    const all = [...this.rows.values()].filter((row) => row.version > after).sort((a, b) => a.version - b.version);
    const page = all.slice(0, 3);
    const rows = page.flatMap((row) => this.answers.row(row, reader) ?? []);
    return { rows, next: page.at(-1)?.version ?? after, more: all.length > 3 };
  }

  log(stream: string, after: number, reader: string): CloudSegment[] {
    const own = this.segments.filter((segment) => segment.stream === stream && segment.from > after);
    return this.answers.segments(own, reader);
  }
}
