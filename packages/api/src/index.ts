/** Shapes, ports and the protocol. The routers are behind `/local`, the client behind `/client`. */
export * from "./explain-doubt.ts";
export * from "./hello.ts";
export * from "./ports.ts";
export * from "./protocol.ts";
export * from "./schemas/account.ts";
export * from "./schemas/account-device.ts";
export * from "./schemas/command.ts";
export * from "./schemas/device.ts";
export * from "./schemas/pair.ts";
export * from "./schemas/repo.ts";
export * from "./schemas/session.ts";
export * from "./schemas/settings.ts";
