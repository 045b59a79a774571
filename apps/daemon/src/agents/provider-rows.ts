import type { ProviderStatus } from "@codehands/contracts";
import { eq } from "drizzle-orm";
import type { OpenDatabase } from "../database/open-database.ts";
import { providerStatus } from "../database/schema.ts";
import type { Tx } from "../database/transaction.ts";

export type ProviderRow = typeof providerStatus.$inferSelect;

/** Stores how a provider answers now. An older statement than the stored one (by `at`) changes nothing. */
export function putProviderStatus(tx: Tx, status: ProviderStatus): void {
  tx.store
    .prepare(
      `insert into provider_status (device_id, agent, state, retry_at, detail, at)
       values (@deviceId, @agent, @state, @retryAt, @detail, @at)
       on conflict (device_id, agent) do update set
         state = excluded.state, retry_at = excluded.retry_at, detail = excluded.detail, at = excluded.at
       where excluded.at >= provider_status.at`,
    )
    .run(status);
}

/** The last known state of each agent's provider on one device. */
export function listProviderStatus(store: OpenDatabase, deviceId: string): ProviderRow[] {
  return store.db.select().from(providerStatus).where(eq(providerStatus.deviceId, deviceId)).all();
}
