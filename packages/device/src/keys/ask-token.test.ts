import type { TokenAnswer, TokenInput } from "@codehands/api/cloud";
import { createCloudClient } from "@codehands/api/cloud-client";
import { fromBase64url, toBase64url, verifyChallenge } from "@codehands/vault";
import { expect, test } from "vitest";
import { foundMember } from "../roster/found-member.test-kit.ts";
import { askToken } from "./ask-token.ts";

const URL_DIALLED = "http://127.0.0.1:4711";
const refused = (code: Extract<TokenAnswer, { ok: false }>["code"]): TokenAnswer => ({ ok: false, code, reason: code });

/** A client whose network answers each request for a token with the next of these. */
async function withAnswers(answers: TokenAnswer[]) {
  const found = await foundMember();
  const asked: TokenInput[] = [];
  const client = createCloudClient({
    url: URL_DIALLED,
    async fetch(to, init) {
      const request = new Request(to, init);
      const isToken = request.url.endsWith("devices.token");
      if (isToken) asked.push((await request.json()) as TokenInput);
      const challenge = { challenge: toBase64url(new Uint8Array(32).fill(7)), expiresAt: "2026-01-01T00:01:00.000Z" };
      return Response.json({ result: { data: isToken ? answers.shift() : challenge } });
    },
  });
  const { keys, account, id: deviceId } = found.member;
  const { vault, statements } = account;
  return { found, asked, ask: () => askToken(client, { url: URL_DIALLED, vault, deviceId, keys, statements }) };
}

const GIVEN: TokenAnswer = { ok: true, token: "secret", expiresAt: "2026-01-01T01:00:00.000Z" };

test("V28 the signature names the origin that was dialled, the vault, the device and the challenge", async () => {
  const { found, asked, ask } = await withAnswers([GIVEN]);
  expect(await ask()).toBe("secret");
  const [input] = asked;
  const about = { device: found.member.id, challenge: fromBase64url(input?.challenge ?? "") };
  const signature = fromBase64url(input?.signature ?? "");
  const { roster } = found.member;
  expect(await verifyChallenge(roster, { ...about, origin: URL_DIALLED }, signature)).toMatchObject({ ok: true });
  const elsewhere = await verifyChallenge(roster, { ...about, origin: "https://example.org" }, signature);
  expect(elsewhere).toMatchObject({ ok: false, code: "BAD_SIGNATURE" });
});

test("V28 a challenge that lived too short is replaced once", async () => {
  const { ask, asked } = await withAnswers([refused("EXPIRED"), GIVEN]);
  expect(await ask()).toBe("secret");
  expect(asked).toHaveLength(2);
  const late = await withAnswers([refused("EXPIRED"), refused("EXPIRED")]);
  await expect(late.ask()).rejects.toMatchObject({ code: "refused" });
});

test("V9 a cloud that lost this device gets the roster with the question", async () => {
  const { found, ask, asked } = await withAnswers([refused("UNKNOWN"), GIVEN]);
  expect(await ask()).toBe("secret");
  expect(asked.map(({ statements }) => statements)).toEqual([undefined, found.member.account.statements]);
});

test("S5 a device that was removed, or that the cloud does not know even so, is told so", async () => {
  await expect((await withAnswers([refused("REVOKED")])).ask()).rejects.toMatchObject({ code: "revoked" });
  const unknown = await withAnswers([refused("UNKNOWN"), refused("UNKNOWN"), refused("UNKNOWN")]);
  await expect(unknown.ask()).rejects.toMatchObject({ code: "unknown_device" });
});
