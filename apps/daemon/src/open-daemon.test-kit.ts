import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalClient } from "@codehands/api/client";
import type { DaemonFile } from "@codehands/contracts";
import { rawRequest } from "../../../test/kit/raw-request.ts";
import { readDaemonConfig } from "./config.ts";
import { type Daemon, type DaemonDeps, openDaemon } from "./open-daemon.ts";

const AGENT = new URL("../../../test/fixtures/agents/scripted-agent.mjs", import.meta.url).pathname;

/** A temporary home in which real daemons are started and ended. */
export function openTempHome(deps: DaemonDeps = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codehands-home-")));
  const home = join(root, "home");
  const open: Daemon[] = [];
  return {
    root,
    home,
    /** Starts a daemon in this process. Without `file` its config.json stays as it is. */
    async start(file?: object, environment: Record<string, string> = {}): Promise<Daemon> {
      if (file !== undefined) {
        mkdirSync(home, { recursive: true, mode: 0o700 });
        writeFileSync(join(home, "config.json"), JSON.stringify(file));
      }
      const path = process.env.PATH;
      const reading = readDaemonConfig({ CODEHANDS_HOME: home, HOME: root, PATH: path, ...environment });
      if (!reading.ok) throw new Error(reading.problems.join("\n"));
      const daemon = await openDaemon(reading.config, deps);
      open.push(daemon);
      return daemon;
    },
    /** The environment in which an agent that does these steps stands in for Claude Code. */
    scriptedClaude(steps: unknown[]): Record<string, string> {
      const script = join(root, "script.json");
      writeFileSync(script, JSON.stringify(steps));
      return { CODEHANDS_AGENT_COMMAND_CLAUDE_CODE: JSON.stringify([process.execPath, AGENT, script]) };
    },
    daemonFile: () => JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as DaemonFile,
    isAnnounced: () => existsSync(join(home, "daemon.json")),
    log: () => readFileSync(join(home, "logs/daemon.log"), "utf8"),
    async remove() {
      await Promise.all(open.splice(0).map((daemon) => daemon.close()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The typed client of a daemon, as the command and a page use it. */
export function clientOf(daemon: Daemon) {
  return createLocalClient({ url: `http://127.0.0.1:${daemon.port}`, token: daemon.token });
}

/** One call without the client: exactly these bytes. */
export function callRaw(daemon: Pick<Daemon, "port" | "token">, path: string, body: unknown = {}) {
  const host = `127.0.0.1:${daemon.port}`;
  const headers = { host, authorization: `Bearer ${daemon.token}`, "content-type": "application/json" };
  return rawRequest({ port: daemon.port, method: "POST", path: `/trpc/${path}`, headers, body: JSON.stringify(body) });
}
