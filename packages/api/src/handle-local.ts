import { answerCalls, type CallFault } from "./answer-calls.ts";
import type { LocalContext } from "./context.ts";
import type { LocalRouter } from "./local.ts";
import { LOCAL_ENDPOINT } from "./protocol.ts";

/**
 * Answers one request below LOCAL_ENDPOINT. Whether the caller may talk to the daemon at all (Host, Origin, token) has
 * been checked before.
 */
export function handleLocal(
  request: Request,
  options: { router: LocalRouter; context: LocalContext; onFault?: (fault: CallFault) => void },
): Promise<Response> {
  return answerCalls(request, LOCAL_ENDPOINT, options);
}
