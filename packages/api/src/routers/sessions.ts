import { TRPCError, tracked } from "@trpc/server";
import * as z from "zod";
import { toTrpcError } from "../error-codes.ts";
import { answeredDecision, decision, procedure, router } from "../procedure.ts";
import {
  approveInput,
  cleanInput,
  commandAnswer,
  commandById,
  commandState,
  discardInput,
  rejectInput,
  resumeInput,
  sentCommand,
  startInput,
  stopInput,
} from "../schemas/command.ts";
import {
  diffView,
  eventPage,
  eventQuery,
  resolved,
  sessionById,
  sessionByRef,
  sessionPage,
  sessionQuery,
  sessionView,
  watchInput,
} from "../schemas/session.ts";
import { answerCommand } from "./answer-command.ts";
import { resumeAfter, watchFrames } from "./watch-frames.ts";

/** Sessions: read them, follow them, and command them. */
export const sessions = router({
  list: procedure
    .input(sessionQuery)
    .output(sessionPage)
    .query(({ ctx, input }) => ctx.ports.sessions.list(input)),
  get: procedure
    .input(sessionById)
    .output(sessionView.nullable())
    .query(({ ctx, input }) => ctx.ports.sessions.get(input.sessionId)),
  resolve: procedure
    .input(sessionByRef)
    .output(resolved)
    .query(({ ctx, input }) => ctx.ports.sessions.resolve(input.ref)),
  events: procedure
    .input(eventQuery)
    .output(eventPage)
    .query(({ ctx, input }) => ctx.ports.sessions.events(input)),
  diff: procedure
    .input(sessionById)
    .output(diffView.nullable())
    .query(({ ctx, input }) => ctx.ports.sessions.diff(input.sessionId)),

  start: procedure
    .input(startInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.start(input, ctx.caller)),
    ),
  stop: procedure
    .input(stopInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.stop(input, ctx.caller)),
    ),
  resume: procedure
    .input(resumeInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.resume(input, ctx.caller)),
    ),
  approve: answeredDecision
    .input(approveInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.approve(input, ctx.caller)),
    ),
  reject: answeredDecision
    .input(rejectInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.reject(input, ctx.caller)),
    ),
  discard: answeredDecision
    .input(discardInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: input.sessionId }, () => ctx.ports.sessions.discard(input, ctx.caller)),
    ),
  clean: answeredDecision
    .input(cleanInput)
    .output(commandAnswer)
    .mutation(({ ctx, input }) =>
      answerCommand({ ...ctx, sessionId: null }, () => ctx.ports.sessions.clean(input, ctx.caller)),
    ),

  commandState: procedure
    .input(commandById)
    .output(commandState)
    .query(({ ctx, input }) => ctx.ports.sessions.commandState(input.commandId)),
  sentCommands: procedure.output(z.array(sentCommand)).query(({ ctx }) => ctx.ports.sessions.sentCommands()),
  withdraw: decision
    .input(commandById)
    .output(commandState)
    .mutation(({ ctx, input }) => ctx.ports.sessions.withdraw(input.commandId, ctx.caller)),

  watch: procedure.input(watchInput).subscription(async function* ({ ctx, input, signal }) {
    const { sessionId } = input;
    try {
      if ((await ctx.ports.sessions.get(sessionId)) === null)
        throw new TRPCError({ code: "NOT_FOUND", message: `There is no session ${sessionId} on this device.` });
      const afterSeq = resumeAfter(input);
      // A caller in the same process may have no signal; it leaves by ending its loop.
      const frames = ctx.ports.sessions.watch({ sessionId, afterSeq }, signal ?? new AbortController().signal);
      for await (const { id, frame } of watchFrames(frames, afterSeq)) yield tracked(id, frame);
    } catch (error) {
      // Middlewares do not see what is thrown while a stream flows.
      throw toTrpcError(error);
    }
  }),
});
