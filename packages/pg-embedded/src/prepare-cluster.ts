import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { asServerUser, canMapUser, planServerUser, type ServerUser } from "./choose-user.ts";
import { EmbeddedError } from "./embedded-error.ts";
import type { Binaries } from "./find-binaries.ts";
import { SERVER_ENVIRONMENT } from "./server-environment.ts";

/** A data folder that a server can be started on. */
export interface Cluster {
  /** PostgreSQL's own folder. */
  folder: string;
  log: string;
  secret: string;
  user: ServerUser;
}

/** The one login of the embedded server. */
const LOGIN = "codehands";

/** Where a data folder keeps the password of its server. */
export const secretFile = (dataDir: string): string => join(dataDir, "secret");

/** How a program on this machine dials the server. Never log it. */
export const serverUrl = (secret: string, port: number): string =>
  `postgres://${LOGIN}:${secret}@127.0.0.1:${port}/postgres`;

/**
 * Makes a data folder, or takes the one that is there. An interrupted first start leaves nothing that a later one
 * would trip over. Throws `other_major` when another PostgreSQL made it; nothing in it is changed then.
 */
export async function prepareCluster(dataDir: string, binaries: Binaries, fsync: boolean): Promise<Cluster> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = join(dataDir, "postgres");
  const made = existsSync(join(folder, "PG_VERSION"));
  if (made) refuseOtherMajor(folder, binaries.major);
  const uid = process.getuid?.() ?? 1;
  const user = planServerUser({
    uid,
    canMap: uid === 0 && canMapUser(),
    owner: made ? statSync(folder).uid : null,
  });
  chmodSync(dataDir, 0o700);
  if (user.how === "as") chownSync(dataDir, user.uid, user.uid);
  const secret = keepSecret(secretFile(dataDir), user);
  const cluster = { folder, log: join(dataDir, "server.log"), secret, user };
  if (!made) await initialise(cluster, binaries, { dataDir, fsync });
  return cluster;
}

function refuseOtherMajor(folder: string, major: number): void {
  const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (found === String(major)) return;
  throw new EmbeddedError(
    "other_major",
    `${folder} was made by PostgreSQL ${found}; this program brings PostgreSQL ${major}, which cannot read it. Nothing was changed. Run the program version that made it and move the data with pg_dump, or name another data folder.`,
  );
}

/** The first writer wins, so that two starts at once agree on one password. */
function keepSecret(file: string, user: ServerUser): string {
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(4).toString("hex")}`;
    writeFileSync(draft, randomBytes(24).toString("hex"), { mode: 0o600 });
    if (user.how === "as") chownSync(draft, user.uid, user.uid);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!existsSync(file)) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  chmodSync(file, 0o600);
  return readFileSync(file, "utf8").trim();
}

async function initialise(
  cluster: Cluster,
  binaries: Binaries,
  { dataDir, fsync }: { dataDir: string; fsync: boolean },
): Promise<void> {
  const draft = `${cluster.folder}.${randomBytes(4).toString("hex")}`;
  const { program, args, identity } = asServerUser(cluster.user, binaries.initdb, [
    `--pgdata=${draft}`,
    `--username=${LOGIN}`,
    `--pwfile=${secretFile(dataDir)}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--no-locale",
    "--no-instructions",
    ...(fsync ? [] : ["--no-sync"]),
  ]);
  try {
    await promisify(execFile)(program, args, { cwd: "/", env: SERVER_ENVIRONMENT, ...identity });
    renameSync(draft, cluster.folder);
  } catch (cause) {
    rmSync(draft, { recursive: true, force: true });
    // Another start of this moment was faster: its folder is as good.
    if (existsSync(join(cluster.folder, "PG_VERSION"))) return;
    const { stderr, message } = cause as Error & { stderr?: string };
    const said = (stderr ?? message).trim();
    throw new EmbeddedError(
      "cannot_prepare",
      `The built-in PostgreSQL could not make its data folder ${cluster.folder}: ${said} Nothing was left behind. As root, the folder must be reachable for other users: name another data folder, or start the program as a plain user.`,
      { cause },
    );
  }
}
