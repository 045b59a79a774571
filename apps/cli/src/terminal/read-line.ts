import type { Source } from "../cli.ts";

/** Reads one line and leaves what comes after it in the stream; null when the stream has ended, or `signal` aborted. */
export function readLine(source: Source, signal?: AbortSignal): Promise<string | null> {
  if (source.readableEnded || source.destroyed || signal?.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const whole = (): string => Buffer.concat(parts).toString("utf8").replace(/\r$/, "");
    const take = (chunk: Buffer | string): void => {
      const bytes = Buffer.from(chunk);
      const at = bytes.indexOf(0x0a);
      if (at === -1) {
        parts.push(bytes);
        return;
      }
      parts.push(bytes.subarray(0, at));
      leave();
      const rest = bytes.subarray(at + 1);
      if (rest.length > 0) source.unshift(typeof chunk === "string" ? rest.toString("utf8") : rest);
      resolve(whole());
    };
    const end = (): void => {
      leave();
      resolve(parts.length === 0 ? null : whole());
    };
    const giveUp = (): void => {
      leave();
      resolve(null);
    };
    const leave = (): void => {
      source.pause();
      signal?.removeEventListener("abort", giveUp);
      source.off("data", take).off("end", end).off("close", end).off("error", end);
    };
    signal?.addEventListener("abort", giveUp);
    source.on("data", take).on("end", end).on("close", end).on("error", end);
    source.resume();
  });
}
