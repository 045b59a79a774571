/** What a client and a daemon must agree on before they talk. */

/** Grows when an older client or daemon would misread the other. An added optional field does not. */
export const PROTOCOL_VERSION = 1;

/** SHA-256 of every schema that crosses the wire, see `hash-wire.test-kit.ts`. Its test says what to do when it changed. */
export const WIRE_HASH = "a835338c938c70c3bb257c004453ba2cb7efbbba25f6c0461155716cd926eb23";

/** Below this path the daemon serves the typed calls. */
export const LOCAL_ENDPOINT = "/trpc";

/** Names the agent run that a program was started by; absent when a person calls. */
export const RUN_ID_HEADER = "x-codehands-run-id";
