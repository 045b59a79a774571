import type { PullPage } from "@codehands/contracts";
import { SyncError } from "../sync-error.ts";

/** F36: a page that no honest cloud sends throws `bad_reply`; nothing of it is applied. */
export function checkPage(page: PullPage): void {
  let version = page.from;
  for (const row of page.rows) {
    if (!(row.version > version)) refuse(`version ${row.version} follows ${version}`);
    version = row.version;
  }
  if (page.next !== version) refuse(`it ends at ${version} and says ${page.next}`);
  if (page.more && page.rows.length === 0) refuse("it is empty and says that there is more");
  if (page.next > page.head) refuse(`it goes to ${page.next}, beyond the head ${page.head}`);
}

function refuse(why: string): never {
  throw new SyncError("bad_reply", `The cloud sent a page that cannot be: ${why}. Nothing of it was kept.`);
}
