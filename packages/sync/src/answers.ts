/** The cloud's half of the law, for a cloud: no store and no loop. */
export * from "./answers/answer-hello.ts";
export * from "./answers/answer-pull.ts";
export * from "./answers/judge-push.ts";
export { logDigest, recordDigest, xorSums } from "./feed/row-digest.ts";
export { CHAIN_START } from "./ports/held-log.ts";
export { isSharedKind } from "./records/may-write.ts";
