import type { Caller, LocalPorts } from "./ports.ts";

/** What every call gets: the ports it stands on, and who calls. */
export interface LocalContext {
  ports: LocalPorts;
  caller: Caller;
}
