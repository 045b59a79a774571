import { randomUUID } from "node:crypto";
import { RECORD_KINDS, type RecordKind } from "@codehands/contracts";
import { derivedRecordId, type Keyring } from "@codehands/vault";
import type { Plants } from "./planted-words.test-kit.ts";

export interface PlantedRecord {
  kind: number;
  id: string;
  body: unknown;
  deleted?: boolean;
}

interface Scene {
  session: { id: string; taskId: string; stream: string; change: string };
  command: { id: string };
  laptop: string;
  phone: string;
  keys: Keyring;
}

/** Records of all ten kinds, each field that says something planted; the device that writes each. */
export async function plantedRecords(
  plants: Plants,
  scene: Scene,
): Promise<{ byLaptop: PlantedRecord[]; byPhone: PlantedRecord[] }> {
  const { session, command, laptop, phone, keys } = scene;
  const word = (what: string) => plants.text(what);
  const words = (what: string, count: number) => Array.from({ length: count }, (_, at) => plants.text(`${what} ${at}`));
  const cost = (what: string) => Number(plants.keep(what, `${Math.random() + 1}`));
  const record = async (kind: RecordKind, id: string | string[], body: object): Promise<PlantedRecord> => {
    const number = RECORD_KINDS[kind];
    return { kind: number, id: typeof id === "string" ? id : await derivedRecordId(keys, number, id), body };
  };
  const repoKey = word("repo key");
  const byLaptop = [
    await record("task", session.taskId, { repoKey, title: word("task title"), prompt: word("task prompt") }),
    await record("device", laptop, {
      name: word("name of the first device"),
      hostname: word("host name"),
      agents: words("agent of the device", 3),
    }),
    await record("repo", [repoKey], {
      name: word("repo name"),
      origin: word("origin URL"),
      paths: words("repo path", 4),
    }),
    await record("session", session.id, {
      ...{
        repoKey,
        repoPath: word("path of the session"),
        title: word("session title"),
        prompt: word("session prompt"),
      },
      ...{ branch: word("branch"), worktree: word("worktree"), model: word("model"), costUsd: cost("cost") },
      ...{ streamId: session.stream, error: word("reason of an end"), testCommands: words("test command", 5) },
    }),
    await record("outcome", command.id, { state: "done", detail: word("outcome"), commit: word("commit message") }),
    await record("change", session.id, {
      ...{ streamId: session.change, treeId: word("tree id"), baseCommit: word("base commit") },
      ...{ files: words("changed file", 12), risk: words("risk", 5) },
    }),
    await record("note", [session.id, laptop], { text: word("note"), lines: words("line of a note", 8) }),
    await record("packet", randomUUID(), {
      goal: word("goal"),
      summary: word("summary"),
      done: words("handover step", 10),
    }),
    ...(await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        record("session", randomUUID(), {
          title: word(`title ${at}`),
          prompt: word(`prompt ${at}`),
          costUsd: cost(`cost ${at}`),
        }),
      ),
    )),
  ];
  const byPhone = [
    await record("device", phone, { name: word("phone name in its record") }),
    await record("command", command.id, { kind: "start", prompt: word("command prompt"), budgetUsd: cost("budget") }),
    await record("preference", ["budget"], { value: word("preference"), others: words("preference", 8) }),
  ];
  return { byLaptop, byPhone };
}
