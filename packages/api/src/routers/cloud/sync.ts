import {
  compactReply,
  compactRequest,
  helloReply,
  helloRequest,
  pullReply,
  pullRequest,
  pushReply,
  pushRequest,
  segmentsReply,
  segmentsRequest,
} from "../../schemas/cloud/sync.ts";
import { cloudRouter, deviceProcedure } from "./cloud-procedure.ts";

/** Push and pull (S1–S34). Which account and device it is about is in the token, never in the request. */
export const sync = cloudRouter({
  hello: deviceProcedure
    .input(helloRequest)
    .output(helloReply)
    .mutation(({ ctx, input }) => ctx.ports.sync.hello(ctx.device, input)),
  pull: deviceProcedure
    .input(pullRequest)
    .output(pullReply)
    .query(({ ctx, input }) => ctx.ports.sync.pull(ctx.device, input)),
  push: deviceProcedure
    .input(pushRequest)
    .output(pushReply)
    .mutation(({ ctx, input }) => ctx.ports.sync.push(ctx.device, input)),
  segments: deviceProcedure
    .input(segmentsRequest)
    .output(segmentsReply)
    .query(({ ctx, input }) => ctx.ports.sync.segments(ctx.device, input)),
  compact: deviceProcedure
    .input(compactRequest)
    .output(compactReply)
    .mutation(({ ctx, input }) => ctx.ports.sync.compact(ctx.device, input)),
});
