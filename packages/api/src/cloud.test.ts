import { TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { type CloudContext, type CloudPorts, createCloudCaller, createCloudRouter } from "./cloud.ts";

const ID = "0198c5f0-0000-7000-8000-000000000001";
const B16 = "A".repeat(22);
const B32 = "A".repeat(43);
const B64 = "A".repeat(86);
const statement = { body: "e30", sigs: [{ by: ID, sig: B64 }] };
const envelope = { v: 1 as const, to: B16, seq: 0, by: ID, enc: B32, ct: "AA", sig: B64 };

/** Every procedure with an input that fits, and who may call it. */
const CALLS: Readonly<Record<string, { input?: unknown; who: "anybody" | "account" | "device" }>> = {
  "accounts.status": { who: "account" },
  "devices.challenge": { who: "anybody", input: { vaultId: B16, deviceId: ID } },
  "devices.token": { who: "anybody", input: { vaultId: B16, deviceId: ID, challenge: B32, signature: B64 } },
  "devices.list": { who: "account" },
  "devices.revoke": { who: "account", input: { deviceId: ID } },
  "roster.get": { who: "account", input: {} },
  "roster.append": { who: "account", input: { statements: [statement], envelopes: [envelope] } },
  "pairing.start": { who: "anybody", input: { commit: B32, platform: "web" } },
  "pairing.poll": { who: "anybody", input: { pollToken: B32 } },
  "pairing.reveal": { who: "anybody", input: { pollToken: B32, enc: B32, ct: "AA" } },
  "pairing.redeem": { who: "anybody", input: { pollToken: B32 } },
  "pairing.end": { who: "anybody", input: { pollToken: B32 } },
  "pairing.lookup": { who: "device", input: { userCode: "bcdf-ghjk" } },
  "pairing.invite": { who: "device" },
  "pairing.invited": { who: "device", input: { invitation: B16 } },
  "pairing.offer": { who: "device", input: { pairingId: ID, msgO: "AA" } },
  "pairing.offered": { who: "device", input: { pairingId: ID } },
  "pairing.approve": { who: "device", input: { pairingId: ID, statement, envelope } },
  "sync.hello": { who: "device", input: { boot: ID, boots: [ID] } },
  "sync.pull": { who: "device", input: { epoch: ID, cursor: 0, since: null, top: 0, limit: 1 } },
  "sync.push": { who: "device", input: { epoch: ID, boot: ID, cursor: 0, since: null, logs: [], records: [] } },
  "sync.segments": { who: "device", input: { streamId: ID, limit: 1 } },
  "sync.compact": {
    who: "device",
    input: { boot: ID, streamId: ID, writerEpoch: 1, from: 1, to: 2, prevMac: B16, mac: B16, body: "AA" },
  },
  "live.watch": { who: "device", input: {} },
};

/** Ports that only tell that they were reached. */
function reachedPorts(reached: string[]): CloudPorts {
  const noun = (name: string) =>
    new Proxy(
      {},
      {
        get: (_target, verb) => () => {
          reached.push(`${name}.${String(verb)}`);
          throw Object.assign(new Error("reached"), { code: "unavailable" });
        },
      },
    );
  return new Proxy({}, { get: (_target, name) => noun(String(name)) }) as CloudPorts;
}

async function callAs(name: string, caller: CloudContext["caller"]) {
  const reached: string[] = [];
  const context = { ports: reachedPorts(reached), caller, refusal: null, address: "192.0.2.1" };
  const [noun = "", verb = ""] = name.split(".");
  const nouns = createCloudCaller(context) as object as Record<string, Record<string, (input: unknown) => unknown>>;
  try {
    const answer = await nouns[noun]?.[verb]?.(CALLS[name]?.input);
    // A stream runs once somebody listens.
    if (name === "live.watch") for await (const _ of answer as AsyncIterable<unknown>) break;
  } catch (error) {
    return { reached, code: error instanceof TRPCError ? error.code : String(error) };
  }
  return { reached, code: "OK" };
}

const DEVICE = { kind: "device", accountId: ID, deviceId: ID } as const;
const LOGIN = { kind: "login", accountId: ID } as const;

describe("V28 who may call what", () => {
  test("every procedure is in the table", () => {
    expect(Object.keys(CALLS).sort()).toEqual(Object.keys(createCloudRouter()._def.procedures).sort());
  });

  test.each(Object.entries(CALLS))("%s", async (name, { who }) => {
    const nobody = await callAs(name, null);
    const login = await callAs(name, LOGIN);
    const device = await callAs(name, DEVICE);
    expect(nobody.code).toBe(who === "anybody" ? "SERVICE_UNAVAILABLE" : "UNAUTHORIZED");
    expect(login.code).toBe(who === "device" ? "FORBIDDEN" : "SERVICE_UNAVAILABLE");
    expect(device.code).toBe("SERVICE_UNAVAILABLE");
    expect([nobody, login, device].map(({ reached }) => reached.length)).toEqual([
      who === "anybody" ? 1 : 0,
      who === "device" ? 0 : 1,
      1,
    ]);
  });
});

test("a pairing code is read as a person types it", async () => {
  const codes: string[] = [];
  const lookup = (_device: unknown, userCode: string) => {
    codes.push(userCode);
    return Promise.resolve({ ok: false as const, code: "PAIR_EXPIRED" as const, reason: "gone" });
  };
  const ports = { pairing: { lookup } } as object as CloudPorts;
  const caller = createCloudCaller({ ports, caller: DEVICE, refusal: null, address: "" });
  await caller.pairing.lookup({ userCode: " bcdf-GHil " });
  expect(codes).toEqual(["BCDFGH11"]);
  await expect(caller.pairing.lookup({ userCode: "ABCDU-123" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
});
