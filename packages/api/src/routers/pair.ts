import { decision, router } from "../procedure.ts";
import {
  approvePairingInput,
  beginPairing,
  begunPairing,
  foundPairing,
  invitationById,
  invitedState,
  inviterState,
  lookUpPairing,
  madeInvitation,
  newcomerState,
  pairingAnswer,
  pairingById,
} from "../schemas/pair.ts";

/** Letting a device in, or being let in: codes and digits are for a person's eyes, so all of it is a decision. */
export const pair = router({
  begin: decision
    .input(beginPairing)
    .output(begunPairing)
    .mutation(({ ctx, input }) => ctx.ports.pair.begin(input)),
  state: decision
    .input(pairingById)
    .output(newcomerState)
    .mutation(({ ctx, input }) => ctx.ports.pair.state(input.pairingId)),
  accept: decision
    .input(pairingById)
    .output(newcomerState)
    .mutation(({ ctx, input }) => ctx.ports.pair.accept(input.pairingId)),
  lookUp: decision
    .input(lookUpPairing)
    .output(foundPairing)
    .mutation(({ ctx, input }) => ctx.ports.pair.lookUp(input)),
  invite: decision.output(madeInvitation).mutation(({ ctx }) => ctx.ports.pair.invite()),
  invited: decision
    .input(invitationById)
    .output(invitedState)
    .mutation(({ ctx, input }) => ctx.ports.pair.invited(input.invitation)),
  offered: decision
    .input(pairingById)
    .output(inviterState)
    .mutation(({ ctx, input }) => ctx.ports.pair.offered(input.pairingId)),
  approve: decision
    .input(approvePairingInput)
    .output(pairingAnswer)
    .mutation(({ ctx, input }) => ctx.ports.pair.approve(input)),
  cancel: decision.input(pairingById).mutation(({ ctx, input }) => ctx.ports.pair.cancel(input.pairingId)),
});
