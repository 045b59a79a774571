import type { LocalClient } from "@codehands/api/client";
import type { Device } from "../device.ts";
import { openDevice } from "../open-device.ts";
import { linkDevice } from "../replica/local-link.ts";
import { type BrowserStores, openBrowserStores } from "../stores/open-browser-stores.ts";

/** What the page offers to the test that drives it; everything goes through the client of a page beside a daemon. */
export interface ReplicaPage {
  /** Opens the device of this browser; its account's state. */
  open(): Promise<string>;
  /** Begins to be let in: the code that a person types elsewhere. */
  begin(cloudUrl: string): Promise<{ pairingId: string; userCode: string }>;
  pairing(pairingId: string): Promise<unknown>;
  accept(pairingId: string): Promise<unknown>;
  sessions(): Promise<object[]>;
  events(sessionId: string, newest: boolean): Promise<object[]>;
  /** Begins to watch; the frames that came are taken with `frames`. */
  watch(sessionId: string, afterSeq: number): Promise<void>;
  frames(): Promise<string[]>;
  diff(sessionId: string): Promise<unknown>;
  approve(input: { commandId: string; sessionId: string; treeId: string }): Promise<unknown>;
  commandState(commandId: string): Promise<unknown>;
  /** What the browser's key database gives out: names of keys that can be read. */
  readableKeys(): Promise<string[]>;
  /** Bugs that stopped a call or the sync. */
  faults(): Promise<string[]>;
}

let opened: { stores: BrowserStores; device: Device; client: LocalClient } | null = null;
const seen: string[] = [];
const faults: string[] = [];

function client(): LocalClient {
  if (opened === null) throw new Error("the page is not open");
  return opened.client;
}

type Frame = { kind: "event"; event: { seq: number } } | { kind: "session"; session: { status: string } };
const nameOf = (frame: Frame): string =>
  frame.kind === "event" ? `event ${frame.event.seq}` : `session ${frame.session.status}`;

const canExport = async (key: CryptoKey): Promise<boolean> => {
  for (const format of ["raw", "pkcs8", "jwk"] as const)
    try {
      await crypto.subtle.exportKey(format, key);
      return true;
    } catch {
      // Refused, as it has to be.
    }
  return false;
};

const page: ReplicaPage = {
  async open() {
    const stores = await openBrowserStores();
    const device = openDevice({
      ...stores,
      about: { name: "phone", kind: "browser", platform: "web", version: "1" },
      boot: crypto.randomUUID(),
      clock: () => new Date().toISOString(),
      onFault: ({ what, error }) => faults.push(`${what} ${String(error)}`),
    });
    const onFault = ({ path, error }: { path: string; error: unknown }) => faults.push(`${path} ${String(error)}`);
    opened = { stores, device, client: linkDevice({ device, store: stores.store, onFault }) };
    await device.start();
    return (await client().account.status.query()).state;
  },
  async begin(cloudUrl) {
    const begun = await client().pair.begin.mutate({ cloudUrl });
    if (!begun.ok) throw new Error(begun.reason);
    return { pairingId: begun.pairingId, userCode: begun.userCode };
  },
  pairing: (pairingId) => client().pair.state.mutate({ pairingId }),
  accept: (pairingId) => client().pair.accept.mutate({ pairingId }),
  sessions: async () => (await client().sessions.list.query({})).sessions,
  events: async (sessionId, newest) => (await client().sessions.events.query({ sessionId, newest })).events,
  async watch(sessionId, afterSeq) {
    client().sessions.watch.subscribe(
      { sessionId, afterSeq },
      { onData: ({ data }) => void seen.push(nameOf(data)), onError: (error) => void faults.push(String(error)) },
    );
  },
  frames: async () => [...seen],
  diff: (sessionId) => client().sessions.diff.query({ sessionId }),
  approve: (input) => client().sessions.approve.mutate(input),
  commandState: (commandId) => client().sessions.commandState.query({ commandId }),
  async readableKeys() {
    const secrets = await opened?.stores.keys.load();
    if (!secrets) return ["there are no keys"];
    const { keys, roots } = secrets;
    const named: [string, CryptoKey | null][] = [
      ["sign", keys.sign.privateKey],
      ["agree", keys.agree.privateKey],
      ...roots.map((root): [string, CryptoKey | null] => [`root ${root.epoch}`, "key" in root ? root.key : null]),
    ];
    const readable: string[] = [];
    for (const [name, key] of named) if (key === null || (await canExport(key))) readable.push(name);
    return roots.length === 0 ? ["there are no roots"] : readable;
  },
  faults: async () => faults,
};

Object.assign(globalThis, { testPage: page });
