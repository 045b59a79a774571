export * from "./cloud.ts";
export * from "./command.ts";
export * from "./daemon-file.ts";
export * from "./decide-command.ts";
export * from "./paths.ts";
export * from "./runner.ts";
export * from "./session.ts";
export * from "./tables.ts";
