import { RunnerError } from "../runner-error.ts";
import type { ProcessHost } from "./host.ts";
import { hostDarwin } from "./host-darwin.ts";
import { hostLinux } from "./host-linux.ts";

/** The host of a platform; one that is not supported throws `spawn_failed` with one plain sentence. */
export function pickHost(platform: NodeJS.Platform = process.platform): ProcessHost {
  if (platform === "linux") return hostLinux;
  if (platform === "darwin") return hostDarwin;
  const where = platform === "win32" ? "Windows itself" : platform;
  const instead = platform === "win32" ? "install it inside WSL2" : "use Linux or macOS";
  throw new RunnerError("spawn_failed", `Code Hands cannot run agents on ${where}; ${instead}. Nothing was started.`);
}
