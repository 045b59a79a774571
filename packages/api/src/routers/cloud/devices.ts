import {
  challengeInput,
  challengeView,
  cloudDevices,
  revokeAnswer,
  revokeInput,
  tokenAnswer,
  tokenInput,
} from "../../schemas/cloud/device.ts";
import { accountProcedure, cloudRouter, openProcedure } from "./cloud-procedure.ts";

/** Access tokens for devices that prove their key (V28), and the list of devices. */
export const devices = cloudRouter({
  challenge: openProcedure
    .input(challengeInput)
    .output(challengeView)
    .mutation(({ ctx, input }) => ctx.ports.devices.challenge(input, ctx.address)),
  token: openProcedure
    .input(tokenInput)
    .output(tokenAnswer)
    .mutation(({ ctx, input }) => ctx.ports.devices.token(input, ctx.address)),
  list: accountProcedure.output(cloudDevices).query(({ ctx }) => ctx.ports.devices.list(ctx.caller)),
  revoke: accountProcedure
    .input(revokeInput)
    .output(revokeAnswer)
    .mutation(({ ctx, input }) => ctx.ports.devices.revoke(ctx.caller, input.deviceId)),
});
