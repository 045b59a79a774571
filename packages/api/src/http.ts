/** What a server of ours holds every request against, whatever it serves. It needs neither Node nor a framework. */
export * from "./http/check-parts.ts";
export * from "./http/count-connections.ts";
export * from "./http/read-request.ts";
export * from "./http/refuse-request.ts";
export * from "./http/security-headers.ts";
