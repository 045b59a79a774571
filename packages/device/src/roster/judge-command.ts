import type { HeldRecord } from "@codehands/sync";
import { authorizeCommand, COMMAND_REFUSALS, explainCode, fromBase64url, type RecordHeader } from "@codehands/vault";
import type { CommandAuthority } from "../device.ts";
import type { DeviceHome } from "../home.ts";
import type { SyncLoop } from "../loop/sync-loop.ts";
import type { DeviceOptions } from "../ports/device-options.ts";

/** What a judgement stands on, as it is at that moment. */
export interface JudgedHome extends Pick<DeviceHome, "member"> {
  readonly loop: Pick<SyncLoop, "isSettled" | "lookSoon" | "suspicions"> | null;
  readonly options: Pick<DeviceOptions, "commandsFrom">;
}

/** V27, for the transaction in which this device takes a command on; null while it has no keys. */
export function createAuthority(home: JudgedHome): CommandAuthority | null {
  if (!home.member) return null;
  return {
    judge(record, command, session) {
      const { member, loop, options } = home;
      if (!member || !loop) return wait("This device is signed out.");
      const header = headerOf(record);
      if (!header) return wait("What the cloud shows of this command cannot be opened.");
      if (!loop.isSettled) {
        loop.lookSoon();
        return wait("What came with this command is still being compared.");
      }
      const answer = authorizeCommand(
        { header, command },
        {
          roster: member.roster,
          me: member.id,
          incarnation: member.account.incarnation,
          // Whoever calls has looked: what was taken on is answered from there.
          isKnown: () => false,
          session: session && {
            status: session.status,
            treeId: session.treeId,
            rev: session.rev,
            chainAt: (seq) => {
              const value = session.chainAt(seq);
              return value === null ? null : fromBase64url(value);
            },
          },
          policy: options.commandsFrom?.() ?? "all",
          suspicions: loop.suspicions,
        },
      );
      if (answer.ok) return answer;
      const code = COMMAND_REFUSALS[answer.code] ?? (answer.code === "WRONG_PLACE" ? "not_allowed" : null);
      if (code === null) return wait(explainCode(answer.code));
      return { ok: false, wait: false, code, reason: explainCode(answer.code) };
    },
  };
}

const wait = (reason: string) => ({ ok: false, wait: true, reason }) as const;

/**
 * What the record's signed header said. It was checked against these columns when the row was opened, and holds as long as
 * the row is the one that is held.
 */
function headerOf({ kind, id, rev, deleted, writer, mac, base, quarantine, body }: HeldRecord): RecordHeader | null {
  if (!base || quarantine !== null || body === null || base.mac !== mac || base.writer !== writer) return null;
  return { type: "record", codec: 0, epoch: base.keyId, writer, deleted, kind, id, rev, n: 1 };
}
