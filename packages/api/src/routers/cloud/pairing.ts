import {
  aboutInvitation,
  aboutPairing,
  approvePairing,
  endPairing,
  invitationState,
  invitedPairing,
  lookedUpPairing,
  lookupPairing,
  offeredPairing,
  offerPairing,
  pairingStep,
  polledPairing,
  pollPairing,
  redeemedPairing,
  revealPairing,
  startedPairing,
  startPairing,
} from "../../schemas/cloud/pairing.ts";
import { cloudRouter, deviceProcedure, openProcedure } from "./cloud-procedure.ts";

/** Letting a new device in (V29–V32). The new device has no account yet: its poll token is all it shows. */
export const pairing = cloudRouter({
  start: openProcedure
    .input(startPairing)
    .output(startedPairing)
    .mutation(({ ctx, input }) => ctx.ports.pairing.start(input, ctx.address)),
  poll: openProcedure
    .input(pollPairing)
    .output(polledPairing)
    .query(({ ctx, input }) => ctx.ports.pairing.poll(input.pollToken)),
  reveal: openProcedure
    .input(revealPairing)
    .output(pairingStep)
    .mutation(({ ctx, input }) => ctx.ports.pairing.reveal(input)),
  redeem: openProcedure
    .input(pollPairing)
    .output(redeemedPairing)
    .mutation(({ ctx, input }) => ctx.ports.pairing.redeem(input.pollToken)),
  end: openProcedure
    .input(endPairing)
    .output(pairingStep)
    .mutation(({ ctx, input }) => ctx.ports.pairing.end(input, ctx.caller?.kind === "device" ? ctx.caller : null)),

  lookup: deviceProcedure
    .input(lookupPairing)
    .output(lookedUpPairing)
    .mutation(({ ctx, input }) => ctx.ports.pairing.lookup(ctx.device, input.userCode, ctx.address)),
  invite: deviceProcedure.output(invitedPairing).mutation(({ ctx }) => ctx.ports.pairing.invite(ctx.device)),
  invited: deviceProcedure
    .input(aboutInvitation)
    .output(invitationState)
    .query(({ ctx, input }) => ctx.ports.pairing.invited(ctx.device, input.invitation)),
  offer: deviceProcedure
    .input(offerPairing)
    .output(pairingStep)
    .mutation(({ ctx, input }) => ctx.ports.pairing.offer(ctx.device, input)),
  offered: deviceProcedure
    .input(aboutPairing)
    .output(offeredPairing)
    .query(({ ctx, input }) => ctx.ports.pairing.offered(ctx.device, input.pairingId)),
  approve: deviceProcedure
    .input(approvePairing)
    .output(pairingStep)
    .mutation(({ ctx, input }) => ctx.ports.pairing.approve(ctx.device, input)),
});
