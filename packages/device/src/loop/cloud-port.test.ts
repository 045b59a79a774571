import type { CloudClient } from "@codehands/api/cloud-client";
import { CloudCallError } from "@codehands/api/cloud-client";
import type { PullPage } from "@codehands/contracts";
import { expect, test } from "vitest";
import { DeviceError } from "../device-error.ts";
import { type CloudPortDeps, createCloudPort } from "./cloud-port.ts";

const PAGE: PullPage = {
  from: 0,
  rows: [],
  next: 3,
  more: false,
  head: 3,
  now: "2026-01-01T00:00:00.000Z",
  rosterSeq: 2,
};
const PULL = { epoch: "e", cursor: 0, since: null, top: 0, limit: 10 };
const PUSH = { epoch: "e", boot: "b", cursor: 0, since: 0, logs: [], records: [] };
const HELLO = { boots: ["b"], boot: "b" };

/** A port whose requests end with these, one after the other; what it did is noted in order. */
function portWith(answers: unknown[]) {
  const did: string[] = [];
  let rosterSeq = 2;
  const deps: CloudPortDeps = {
    calls: {
      async call<T>(_ask: (client: CloudClient) => Promise<T>): Promise<T> {
        did.push("call");
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer as T;
      },
      tokens: { current: async () => "token", drop: () => {} },
      get streams(): CloudClient {
        throw new Error("no stream is opened here");
      },
    },
    me: "me",
    async pullRoster() {
      did.push("roster");
      rosterSeq = 3;
    },
    rosterSeq: () => rosterSeq,
    onHello: () => did.push("hello"),
    onPage: ({ head, fromOthers }) => did.push(`page ${head}${fromOthers ? " of others" : ""}`),
    onAnswer: (error) => did.push(error ? "failed" : "answered"),
    onOwnSegments: async (streamId) => void did.push(`segments ${streamId}`),
    onStaleEpoch: async () => void did.push("seal anew"),
    sleep: async (ms) => void did.push(`sleep ${ms}`),
    now: () => 0,
  };
  return { port: createCloudPort(deps), did };
}

test("V9 the roster is read on before the page that stands on it is handed on", async () => {
  const { port, did } = portWith([{ ...PAGE, rosterSeq: 3 }]);
  expect(await port.pull(PULL)).toMatchObject({ head: 3 });
  expect(did).toEqual(["call", "roster", "page 3", "answered"]);
  const known = portWith([PAGE]);
  await known.port.pull(PULL);
  expect(known.did).not.toContain("roster");
  const pushed = portWith([{ logs: [], records: [], page: { ...PAGE, rosterSeq: 9 } }]);
  await pushed.port.push(PUSH, new Uint8Array(0));
  expect(pushed.did).toEqual(["call", "roster", "page 3", "answered"]);
});

test("V9 each hello begins with a look at the roster", async () => {
  const { port, did } = portWith([{ answer: "OK", epoch: "e" }]);
  expect(await port.hello(HELLO)).toEqual({ answer: "OK", epoch: "e" });
  expect(did).toEqual(["hello", "roster", "call", "answered"]);
});

test("V12 what was sealed under an older key is told after the newer one is known", async () => {
  const { port, did } = portWith([{ refused: "STALE_EPOCH", rosterSeq: 3 }]);
  expect(await port.push(PUSH, new Uint8Array(0))).toMatchObject({ refused: "STALE_EPOCH" });
  expect(did).toEqual(["call", "roster", "seal anew", "answered"]);
});

test("a cloud that always wants another key, or never fits its own sum, is asked more and more slowly", async () => {
  const stale = portWith(Array.from({ length: 4 }, () => ({ refused: "STALE_EPOCH", rosterSeq: 3 })));
  for (let times = 0; times < 3; times++) await stale.port.push(PUSH, new Uint8Array(0));
  await expect(stale.port.push(PUSH, new Uint8Array(0))).rejects.toMatchObject({ code: "refused" });
  const misfit = portWith(Array.from({ length: 8 }, () => PAGE));
  for (let times = 0; times < 8; times++) await misfit.port.pull(PULL);
  expect(misfit.did.filter((what) => what.startsWith("sleep"))).toEqual(["sleep 1000", "sleep 2000", "sleep 4000"]);
  const usual = portWith(Array.from({ length: 8 }, () => PAGE));
  for (let times = 0; times < 8; times++) await usual.port.pull({ ...PULL, since: 3, cursor: 3 });
  expect(usual.did.filter((what) => what.startsWith("sleep"))).toEqual([]);
});

test("S5 a device that was removed is an answer; one that is not known is asked again slowly, not at once", async () => {
  const { port } = portWith([new DeviceError("revoked", "gone")]);
  expect(await port.pull(PULL)).toEqual({ answer: "REVOKED" });
  const unknown = portWith([{ answer: "UNKNOWN" }, { answer: "UNKNOWN" }]);
  expect(await unknown.port.hello(HELLO)).toEqual({ answer: "UNKNOWN" });
  await expect(unknown.port.hello(HELLO)).rejects.toMatchObject({ code: "unknown_device" });
});

test("a cloud that asks for a pause gets it, and what fails is handed on", async () => {
  const many = new CloudCallError("too_many", "slower", { retryAfter: 7 });
  const { port, did } = portWith([many, { gone: true }]);
  await expect(port.segments({ streamId: "s", after: 0, limit: 1 })).rejects.toBe(many);
  expect(await port.segments({ streamId: "s", after: 0, limit: 1 })).toEqual({ gone: true });
  expect(did).toEqual(["segments s", "call", "failed", "sleep 7000", "segments s", "call", "answered"]);
  const large = new CloudCallError("too_large", "too much");
  await expect(portWith([large]).port.push(PUSH, new Uint8Array(0))).rejects.toMatchObject({ code: "too_large" });
});
