import type { Sql } from "postgres";

export type ReadinessState = "starting" | "ready" | "stopping";

/** Whether this server may be given requests. `/livez` says only that the process runs. */
export interface Readiness {
  state(): ReadinessState;
  become(state: ReadinessState): void;
  /** 200 when requests can be answered now, else 503 with the reason. Asks the database, 2 s at most. */
  check(): Promise<{ status: 200 | 503; reason: string }>;
}

const PATIENCE_MS = 2_000;

/** `sql` is null until the database is open. */
export function openReadiness(sql: () => Sql | null): Readiness {
  let state: ReadinessState = "starting";
  return {
    state: () => state,
    become(next) {
      // Who stops does not become ready again.
      if (state !== "stopping") state = next;
    },
    async check() {
      const client = sql();
      if (state !== "ready" || client === null) return { status: 503, reason: state };
      return (await answers(client)) ? { status: 200, reason: "ready" } : { status: 503, reason: "database" };
    },
  };
}

async function answers(sql: Sql): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  const asked = sql`select 1`.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
