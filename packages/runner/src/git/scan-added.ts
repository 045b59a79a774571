import { scanSecrets } from "../redact/scan-secrets.ts";
import { type BytePath, displayPath } from "./byte-paths.ts";

export interface SecretPlace {
  path: string;
  line: number;
  rule: string;
}

/** Scanned at once; a key over several lines must fit. */
const PIECE_BYTES = 1024 ** 2;

/** Gathers the added lines of a patch and finds what looks like a secret in them. */
export class AddedLines {
  readonly found: SecretPlace[] = [];
  #path: BytePath = "";
  #lines: Buffer[] = [];
  #numbers: number[] = [];
  #bytes = 0;

  /** The next lines belong to this file. */
  file(path: BytePath): void {
    this.flush();
    this.#path = path;
  }

  add(line: { bytes: Buffer; line: number }): void {
    this.#lines.push(line.bytes.subarray(1));
    this.#numbers.push(line.line);
    this.#bytes += line.bytes.length;
    if (this.#bytes > PIECE_BYTES) this.flush();
  }

  /** Scans what was gathered. */
  flush(): void {
    if (this.#lines.length === 0) return;
    for (const { line, rule } of scanSecrets(Buffer.concat(this.#lines).toString("utf8"))) {
      this.found.push({ path: displayPath(this.#path), line: this.#numbers[line - 1] ?? 0, rule });
    }
    this.#lines = [];
    this.#numbers = [];
    this.#bytes = 0;
  }
}
