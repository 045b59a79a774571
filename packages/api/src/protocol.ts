/** What a client and a daemon must agree on before they talk. */

/** Grows when an older client or daemon would misread the other. An added optional field does not. */
export const PROTOCOL_VERSION = 1;

/** SHA-256 of every schema that crosses the wire, see `hash-wire.test-kit.ts`. Its test says what to do when it changed. */
export const WIRE_HASH = "e58a9ca1100adca2d877dcebb33f4ab0fb2c691ac13a9783b1e707407455ea67";

/** Below this path the daemon serves the typed calls. */
export const LOCAL_ENDPOINT = "/trpc";

/** Names the agent run that a program was started by; absent when a person calls. */
export const RUN_ID_HEADER = "x-codehands-run-id";

/** Below this path the cloud serves its typed calls. */
export const CLOUD_ENDPOINT = "/trpc";

/** Below this path the cloud signs people up, in and out. */
export const CLOUD_AUTH = "/auth";
