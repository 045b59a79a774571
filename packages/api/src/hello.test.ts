import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answersNonce, helloNonce, helloProof, parseHello } from "./hello.ts";

describe("hello", () => {
  test("the proof is the HMAC-SHA256 of the nonce under the token, base64url", async () => {
    const proof = await helloProof("secret-token", "7433.nonce");
    expect(proof).toBe(createHmac("sha256", "secret-token").update("7433.nonce").digest("base64url"));
    expect(await helloProof("other-token", "7433.nonce")).not.toBe(proof);
    expect(await helloProof("secret-token", "7434.nonce")).not.toBe(proof);
  });

  test("a nonce is fresh, and only the daemon on its port answers it", () => {
    const nonce = helloNonce(7433);
    expect(helloNonce(7433)).not.toBe(nonce);
    expect(answersNonce(nonce, 7433)).toBe(true);
    expect(answersNonce(nonce, 7434)).toBe(false);
  });

  test("nothing that is too short, too long or shaped otherwise is answered", () => {
    for (const nonce of ["", "7433", "7433.short", `7433.${"a".repeat(87)}`, `7433.${"a".repeat(30)}\n`, "a.b"])
      expect(answersNonce(nonce, 7433), nonce).toBe(false);
  });

  test("a strange answer is no hello", () => {
    const hello = { proof: "p", protocol: 1, version: "0.1.0" };
    expect(parseHello({ ...hello, more: true })).toEqual(hello);
    for (const value of [null, "hello", [], {}, { ...hello, proof: 1 }, { ...hello, protocol: "1" }])
      expect(parseHello(value)).toBeNull();
  });
});
