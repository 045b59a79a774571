export { EmbeddedError, type EmbeddedErrorCode } from "./embedded-error.ts";
export { type FoundEmbedded, findEmbedded } from "./find-embedded.ts";
export { type Embedded, type EmbeddedOptions, startEmbedded } from "./start-embedded.ts";
