import * as z from "zod";

export const livePokes = z.object({
  /** Set by a stream that comes back: the newest head it was told. */
  lastEventId: z
    .string()
    .regex(/^\d{1,16}$/)
    .optional(),
});

/** A poke says that there is something to pull, nothing else. */
export const livePoke = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("head"), head: z.number() }),
  /** This server stops: come back in a moment. */
  z.object({ kind: z.literal("bye") }),
]);
export type LivePoke = z.infer<typeof livePoke>;
