import * as z from "zod";
import { procedure, router } from "../procedure.ts";
import { doctorInput, doctorReport, healthView } from "../schemas/device.ts";

/** The daemon itself: how it is, what the doctor finds, and its end. */
export const health = router({
  health: procedure.output(healthView).query(({ ctx }) => ctx.ports.health.health()),
  // A mutation: with `fix` it changes the machine.
  doctor: procedure
    .input(doctorInput)
    .output(doctorReport)
    .mutation(({ ctx, input }) => ctx.ports.health.doctor(input)),
  shutdown: procedure.output(z.void()).mutation(({ ctx }) => ctx.ports.health.shutdown()),
});
