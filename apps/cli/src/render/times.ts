/** Times as a person reads them. */

/** Minutes and seconds between two ISO times, `00:48`, from an hour on `1:02:03`. Never negative. */
export function elapsed(from: string, to: string): string {
  const total = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000) || 0);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}`;
}

/** How long ago an ISO time is: `now`, `5 min`, `3 h`, `4 d`. */
export function age(nowMs: number, iso: string): string {
  const seconds = Math.max(0, (nowMs - Date.parse(iso)) / 1000) || 0;
  if (seconds < 60) return "now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** How long ago an ISO time is, in words: `just now`, `5 min ago`. */
export function ago(nowMs: number, iso: string): string {
  const words = age(nowMs, iso);
  return words === "now" ? "just now" : `${words} ago`;
}

/** A duration in milliseconds: `850 ms`, `6.1s`, `02:05`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.floor(ms / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}

/** An ISO time without its fraction of a second: `2026-01-02 03:04:05 UTC`. */
export function moment(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}
