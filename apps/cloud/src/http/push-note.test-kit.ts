import { randomUUID } from "node:crypto";
import { RECORD_KINDS } from "@codehands/contracts";
import type { TestDevice } from "../open-cloud.test-kit.ts";
import { makeRecord } from "../sync/sealed-items.test-kit.ts";

/** Says hello as a device, and returns what pushes one more record; it gives the head after it. */
export async function pushNote({ device }: { device: TestDevice }): Promise<() => Promise<number>> {
  const boot = randomUUID();
  const hello = await device.client.sync.hello.mutate({ boot, boots: [boot], mode: "register" });
  if (hello.answer !== "OK") throw new Error(hello.answer);
  return async () => {
    const record = makeRecord({ writer: device.id, kind: RECORD_KINDS.note, id: randomUUID() });
    const batch = { epoch: hello.epoch, boot, cursor: 0, since: null, logs: [], records: [record] };
    const answer = await device.client.sync.push.mutate(batch);
    const row = "records" in answer ? answer.records[0]?.row : undefined;
    if (!row) throw new Error(JSON.stringify(answer));
    return row.version;
  };
}
