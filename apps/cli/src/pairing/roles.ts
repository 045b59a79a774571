import type { Flags } from "../program/flags.ts";

/** What a device of the account may do, besides reading. */
export const ROLES = ["admin", "command", "run"] as const;
export type Role = (typeof ROLES)[number];

/** What `--roles` names; empty for what such a device gets by default. */
export const rolesFrom = (flags: Flags): readonly Role[] => ROLES.filter((role) => flags.list("roles").includes(role));
