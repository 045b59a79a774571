import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAMS = ["initdb", "pg_ctl", "postgres", "pg_dump", "pg_restore", "createdb", "dropdb"];
/** PostgreSQL refuses root. */
const IDENTITY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A folder with PostgreSQL's own programs, the tools for dumps among them (the embedded one has none); null without. */
export function findPostgres(): string | null {
  const places = ["/usr/lib/postgresql", "/usr/local/lib/postgresql"].filter((place) => existsSync(place));
  const installed = places.flatMap((place) => readdirSync(place).map((version) => join(place, version, "bin")));
  const onPath = (process.env["PATH"] ?? "").split(":");
  const newestFirst = installed.sort((a, b) => majorOf(b) - majorOf(a)).filter((folder) => majorOf(folder) >= 15);
  return [...newestFirst, ...onPath].find((bin) => PROGRAMS.every((name) => existsSync(join(bin, name)))) ?? null;
}

const majorOf = (bin: string): number => Number(/(\d+)\/bin$/.exec(bin)?.[1] ?? 0);

export interface OwnServer {
  bin: string;
  port: number;
  stop(): void;
}

/** A PostgreSQL server of the operator's own, on loopback, with the login and the database of the guide. */
export function startOwnServer(bin: string, port: number): OwnServer {
  const folder = mkdtempSync(join(tmpdir(), "codehands-own-pg-"));
  if (IDENTITY.uid !== undefined) chownSync(folder, IDENTITY.uid, IDENTITY.gid);
  const data = join(folder, "data");
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...IDENTITY, cwd: "/", stdio: "ignore", env: { LANG: "C.UTF-8" } });
  run("initdb", "-D", data, "-U", "codehands", "--auth=trust", "--encoding=UTF8", "--no-sync");
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=`;
  run("pg_ctl", "-D", data, "-w", "-o", options, "-l", join(folder, "server.log"), "start");
  run("createdb", "-h", "127.0.0.1", "-p", String(port), "-U", "codehands", "codehands");
  return {
    bin,
    port,
    stop() {
      run("pg_ctl", "-D", data, "-w", "-m", "fast", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface StandIn {
  server: OwnServer;
  /** The built program of the cloud. */
  cloud: string;
  /** Where its logs and pids lie. */
  state: string;
}

/**
 * A `docker` that runs what the guide asks of it without containers: PostgreSQL's programs against this server, and
 * the cloud as a process. It refuses everything else, so a new line in the guide fails here until it is walked.
 */
export function dockerStandIn({ server, cloud, state }: StandIn): string {
  return `#!/bin/sh
set -e
begin() {
  name=$1; shift
  "${process.execPath}" "${cloud}" "$@" > "${state}/$name.log" 2>&1 < /dev/null &
  echo $! > "${state}/$name.pid"
  until grep -q 'ready after' "${state}/$name.log"; do kill -0 "$(cat "${state}/$name.pid")"; sleep 0.1; done
}
end() {
  kill -TERM "$(cat "${state}/$1.pid")"
  while kill -0 "$(cat "${state}/$1.pid")" 2> /dev/null; do sleep 0.1; done
}
case "$*" in
  "compose exec -T database "*)
    shift 4
    program=$1; shift
    PGHOST=127.0.0.1 PGPORT=${server.port} exec "${server.bin}/$program" "$@" ;;
  "compose stop cloud caddy") end cloud ;;
  "compose --profile tls up -d --wait") begin cloud ;;
  "compose run --rm -d --name codehands-restored cloud node dist/main.js --restored") begin codehands-restored --restored ;;
  "logs codehands-restored") cat "${state}/codehands-restored.log" ;;
  "stop codehands-restored") end codehands-restored ;;
  *) echo "The stand-in does not know: docker $*" >&2; exit 64 ;;
esac
`;
}
