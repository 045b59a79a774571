import type { AccountCaller, CallerAddress, CloudPorts } from "./cloud-ports.ts";

/** What every call of the cloud gets: the ports it stands on, and who calls from where. */
export interface CloudContext {
  ports: CloudPorts;
  /** Null when no token and no login came, or one that does not count any more. */
  caller: AccountCaller | null;
  /** Why a token that came does not count, for a person. */
  refusal: string | null;
  address: CallerAddress;
}
