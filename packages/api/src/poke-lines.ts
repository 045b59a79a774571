import { getErrorShape, getTRPCErrorFromUnknown, isTrackedEnvelope } from "@trpc/server";
import type { CallFault } from "./answer-calls.ts";
import type { CloudContext } from "./cloud-context.ts";
import { cloudRouter, createCloudCallerFactory, PING_MS } from "./routers/cloud/cloud-procedure.ts";
import { live } from "./routers/cloud/live.ts";
import { livePokes } from "./schemas/cloud/live.ts";

const PATH = "live.watch";
const router = cloudRouter({ live });
const createCaller = createCloudCallerFactory(router);

export interface PokeLinesOptions {
  context: CloudContext;
  input: unknown;
  /** Aborted when the reader leaves. */
  signal: AbortSignal;
  onFault?: (fault: CallFault) => void;
}

export interface PokeLines {
  /** To be written one by one, as they are. */
  lines: AsyncIterable<string>;
  /** To be written whenever nothing else was for `pingMs`. */
  ping: string;
  pingMs: number;
}

/**
 * The event stream of `live.watch`, letter for letter as the router's own answer has it, for a server that writes it
 * straight to a connection. Throws what the call is refused with.
 */
export async function openPokeLines(options: PokeLinesOptions): Promise<PokeLines> {
  const { context, signal, onFault } = options;
  const config = router._def._config;
  const input = livePokes.parse(options.input);
  const pokes = await createCaller(context, { signal }).live.watch(input);

  async function* lines(): AsyncGenerator<string> {
    yield eventOf("connected", config.sse?.client);
    try {
      for await (const poke of pokes) {
        const told: unknown = poke;
        if (isTrackedEnvelope(told)) yield `data: ${JSON.stringify(told[1])}\nid: ${told[0]}\n\n\n`;
      }
      yield eventOf("return");
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      if (error.code === "INTERNAL_SERVER_ERROR") onFault?.({ path: PATH, error: error.cause ?? error });
      const shape = getErrorShape({ config, error, type: "subscription", path: PATH, input, ctx: context });
      yield eventOf("serialized-error", shape);
    }
  }
  return { lines: lines(), ping: eventOf("ping"), pingMs: PING_MS };
}

function eventOf(name: string, data?: unknown): string {
  return `event: ${name}\ndata: ${data === undefined ? "" : JSON.stringify(data)}\n\n\n`;
}
