import { answersNonce, type HelloReply, helloProof, PROTOCOL_VERSION } from "@codehands/api";

/**
 * Answers `GET /hello?nonce=…`: the proof that we hold the token, or null when the nonce was not made for the port we
 * listen on.
 */
export async function answerHello(
  nonce: string | undefined,
  us: { port: number; token: string; version: string },
): Promise<HelloReply | null> {
  if (nonce === undefined || !answersNonce(nonce, us.port)) return null;
  return { proof: await helloProof(us.token, nonce), protocol: PROTOCOL_VERSION, version: us.version };
}
