/** A clock of ISO times. Thousands of events come within a few milliseconds, and the text of each is made once. */
export function createIsoClock(now: () => number = Date.now): () => string {
  let last = Number.NaN;
  let text = "";
  return () => {
    const ms = now();
    if (ms !== last) {
      last = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}
