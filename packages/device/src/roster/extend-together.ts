import { CloudCallError } from "@codehands/api/cloud-client";
import { type Envelope, explainCode, type Outcome, type Roster, type Statement, VaultError } from "@codehands/vault";
import { DeviceError } from "../device-error.ts";
import type { SyncLoop } from "../loop/sync-loop.ts";
import type { Membership } from "./membership.ts";

export interface ExtendDeps {
  member: Membership;
  loop: Pick<SyncLoop, "pullRoster" | "calls">;
}

/** What is to be appended to a roster; null when it is there already. */
export type Extension = Outcome<{ statement: Statement; envelopes: Envelope[] }> | null;

/** How often another device may be quicker. */
const TRIES = 6;

/**
 * Lays a statement on the newest roster, deciding again whenever another device was quicker or an answer was lost (V8).
 * `plan` says null once it is there. Throws CloudCallError when the cloud cannot be reached, DeviceError `refused`.
 */
export async function extendTogether(
  { member, loop }: ExtendDeps,
  plan: (roster: Roster) => Promise<Extension>,
): Promise<void> {
  let lost: CloudCallError | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    await loop.pullRoster();
    const next = await plan(member.roster);
    if (next === null) return;
    if (!next.ok) throw new DeviceError("refused", `${explainCode(next.code)} (${next.code})`);
    if (lost && tries > 1) throw lost;
    const { statement, envelopes } = next.value;
    try {
      const answer = await loop.calls.call((client) =>
        client.roster.append.mutate({ statements: [statement], envelopes }),
      );
      if (!answer.ok && answer.code !== "CONFLICT")
        throw new DeviceError("refused", `The cloud refused it. ${answer.reason}`);
    } catch (error) {
      // It may have arrived: the roster says so.
      if (!(error instanceof CloudCallError)) throw error;
      lost = error;
    }
  }
  throw lost ?? new DeviceError("refused", explainCode("CONFLICT"));
}

/** Runs a plan whose refusals are thrown by the vault. */
export async function planned(
  make: () => Promise<{ statement: Statement; envelopes: Envelope[] }>,
): Promise<Extension> {
  try {
    return { ok: true, value: await make() };
  } catch (error) {
    if (error instanceof VaultError) return { ok: false, code: error.code, reason: error.reason };
    throw error;
  }
}
