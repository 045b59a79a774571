/** A network and a cloud that misbehave as a test says: answers that are lost, answers that are others. */
export interface FaultyFetch {
  fetch: typeof fetch;
  /** The next answers of calls whose path ends so are lost, after the cloud has done what was asked. */
  loseAnswer(path: string, times?: number): void;
  /** Answers of this call are what the function makes of them, until it is taken away. */
  lie(path: string, change: ((data: never) => unknown) | null): void;
  /** How often each call was made. */
  calls: Map<string, number>;
}

/** Wraps a `fetch`. Paths are the ends of URLs: `sync.pull`, `sign-up/email`. */
export function openFaultyFetch(ask: typeof fetch): FaultyFetch {
  const lost = new Map<string, number>();
  const lies = new Map<string, (data: never) => unknown>();
  const calls = new Map<string, number>();
  const endOf = (url: string, names: Iterable<string>): string | null =>
    [...names].find((name) => new URL(url).pathname.endsWith(`/${name}`)) ?? null;
  return {
    calls,
    loseAnswer: (path, times = 1) => void lost.set(path, times),
    lie: (path, change) => void (change ? lies.set(path, change) : lies.delete(path)),
    async fetch(to, init) {
      const url = to instanceof Request ? to.url : String(to);
      const name = new URL(url).pathname.split("/").slice(-1)[0] ?? "";
      calls.set(name, (calls.get(name) ?? 0) + 1);
      const answer = await ask(to, init);
      const losing = endOf(url, lost.keys());
      if (losing !== null && (lost.get(losing) ?? 0) > 0) {
        lost.set(losing, (lost.get(losing) ?? 0) - 1);
        await answer.arrayBuffer();
        throw new TypeError("the answer was lost on its way");
      }
      const lying = endOf(url, lies.keys());
      const change = lying === null ? undefined : lies.get(lying);
      if (!change || !answer.ok) return answer;
      const told = (await answer.json()) as { result: { data: never } };
      const data = change(structuredClone(told.result.data));
      return Response.json({ result: { data } }, { status: answer.status });
    },
  };
}
