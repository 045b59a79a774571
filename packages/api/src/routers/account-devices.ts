import { decision, procedure, router } from "../procedure.ts";
import { accountDevices, deviceAnswer, deviceById, fingerprintView, renameDevice } from "../schemas/account-device.ts";

/** The devices of the account. */
export const devices = router({
  list: procedure.output(accountDevices).query(({ ctx }) => ctx.ports.devices.list()),
  rename: decision
    .input(renameDevice)
    .output(deviceAnswer)
    .mutation(({ ctx, input }) => ctx.ports.devices.rename(input.name)),
  revoke: decision
    .input(deviceById)
    .output(deviceAnswer)
    .mutation(({ ctx, input }) => ctx.ports.devices.revoke(input.deviceId)),
  fingerprint: procedure.output(fingerprintView.nullable()).query(({ ctx }) => ctx.ports.devices.fingerprint()),
});
