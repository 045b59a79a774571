import { tracked } from "@trpc/server";
import { type LivePoke, livePoke, livePokes } from "../../schemas/cloud/live.ts";
import { toCloudTrpcError } from "./cloud-faults.ts";
import { cloudRouter, deviceProcedure } from "./cloud-procedure.ts";

/** One stream for all that a device has to hear: "there is something to pull". */
export const live = cloudRouter({
  watch: deviceProcedure.input(livePokes).subscription(async function* ({ ctx, input, signal }) {
    let told = Number(input.lastEventId ?? -1);
    try {
      // A caller in the same process may have no signal; it leaves by ending its loop.
      for await (const poke of ctx.ports.live.watch(ctx.device, signal ?? new AbortController().signal)) {
        const parsed: LivePoke = livePoke.parse(poke);
        if (parsed.kind === "head") told = parsed.head;
        yield tracked(String(Math.max(told, 0)), parsed);
      }
    } catch (error) {
      // Middlewares do not see what is thrown while a stream flows.
      throw toCloudTrpcError(error);
    }
  }),
});
