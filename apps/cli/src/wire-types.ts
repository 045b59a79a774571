/** The shapes as they arrive over the wire: JSON drops what is undefined, so a field of unknown content may be absent. */
import type { EventView } from "@codehands/api";
import type { LocalClient } from "@codehands/api/client";

type Sessions = LocalClient["sessions"];

export type SessionView = NonNullable<Awaited<ReturnType<Sessions["get"]["query"]>>>;
export type SessionPage = Awaited<ReturnType<Sessions["list"]["query"]>>;
export type CommandAnswer = Awaited<ReturnType<Sessions["start"]["mutate"]>>;
export type ConfigEntry = Awaited<ReturnType<LocalClient["settings"]["list"]["query"]>>[number];
export type RepoTrust = Awaited<ReturnType<LocalClient["repos"]["trustState"]["query"]>>;
export type WatchFrame = { kind: "event"; event: EventView } | { kind: "session"; session: SessionView };
