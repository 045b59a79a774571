import type { SessionsPort } from "@codehands/api";
import { expect, test } from "vitest";
import type { Device } from "../device.ts";
import { DeviceError, type DeviceErrorCode } from "../device-error.ts";
import { StopError } from "../roster/stop-code.ts";
import { linkDevice } from "./local-link.ts";
import { replicaWorld, sessionId } from "./other-device.test-kit.ts";
import { createReplicaSessions } from "./replica-sessions.ts";

/** How a person's program is told each of them. A code that is added has to be decided on here. */
const TOLD: Record<DeviceErrorCode, string> = {
  no_account: "refused",
  no_keys: "refused",
  broken_store: "refused",
  not_found: "not_found",
  command_failed: "refused",
  agent_may_not: "refused",
  unknown_device: "refused",
  revoked: "refused",
  stopped: "refused",
  refused: "refused",
};

function linked(thrown: Error) {
  const { store, deps } = replicaWorld();
  const sessions: SessionsPort = { ...createReplicaSessions(deps), get: () => Promise.reject(thrown) };
  const device = { sessions } as Device;
  const faults: unknown[] = [];
  const client = linkDevice({ device, store, onFault: (fault) => faults.push(fault) });
  return { faults, get: () => client.sessions.get.query({ sessionId: sessionId(1) }) };
}

test("every fault that is not a bug reaches the person with its code and its sentence", async () => {
  for (const [fault, code] of Object.entries(TOLD) as [DeviceErrorCode, string][]) {
    const { get, faults } = linked(new DeviceError(fault, `So it is with ${fault}.`));
    await expect(get(), fault).rejects.toMatchObject({
      name: "ApiError",
      code,
      fault,
      message: `So it is with ${fault}.`,
    });
    expect(faults).toEqual([]);
  }
});

test("V9 a sync that stands still for good is told in the words of the vault", async () => {
  const stop = new StopError("VAULT_CHANGED");
  await expect(linked(stop).get()).rejects.toMatchObject({ code: "refused", fault: "stopped", message: stop.message });
});

test("a bug is told as ours, and its words go to the log alone", async () => {
  const { get, faults } = linked(new Error("token=abc"));
  await expect(get()).rejects.toMatchObject({ code: "internal", message: expect.not.stringContaining("token") });
  expect(faults).toHaveLength(1);
});
