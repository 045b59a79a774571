import { beforeAll, describe, expect, test } from "vitest";
import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { fromUtf8, utf8 } from "../bytes/text.ts";
import { sign } from "../primitives/signing.ts";
import { buildWorld, codeOf, type World } from "../vault-world.test-kit.ts";
import { foldRoster } from "./fold-roster.ts";
import { type Statement, statementMessage } from "./statement.ts";

let w: World;
beforeAll(async () => {
  w = await buildWorld();
});

/** The third statement with another body, signed by the admin who made it: only its shape is wrong. */
async function resay(change: (body: Record<string, unknown>) => unknown): Promise<string> {
  const statement = w.statements[2];
  const body = JSON.parse(fromUtf8(fromBase64url(statement?.body ?? ""))) as Record<string, unknown>;
  const bytes = utf8(JSON.stringify(change(body)));
  const sig = toBase64url(await sign(w.desktop.signer.privateKey, statementMessage(bytes)));
  return codeOf(await foldRoster([{ body: toBase64url(bytes), sigs: [{ by: w.desktop.id, sig }] }], w.paired));
}

const withOp = (change: (op: Record<string, unknown>) => unknown) => (body: Record<string, unknown>) => ({
  ...body,
  ops: (body["ops"] as Record<string, unknown>[]).map(change),
});

describe("statements", () => {
  test("V6 a list that skips, repeats, reorders or begins in the middle is no roster", async () => {
    const [zero, one, two, three] = w.statements;
    expect(codeOf(await foldRoster([zero, one, two, three]))).toBe("ok");
    expect(codeOf(await foldRoster([zero, two]))).toBe("BAD_SIGNATURE");
    expect(codeOf(await foldRoster([zero, one, three]))).toBe("BAD_ROSTER");
    expect(codeOf(await foldRoster([zero, one, one]))).toBe("BAD_ROSTER");
    expect(codeOf(await foldRoster([one, two]))).not.toBe("ok");
    expect(codeOf(await foldRoster([zero, zero]))).toBe("BAD_ROSTER");
    expect(codeOf(await foldRoster([]))).toBe("BAD_ROSTER");
  });

  test("V6 every changed byte of a body or a signature is refused", async () => {
    const statement = w.statements[3] as Statement;
    const body = fromBase64url(statement.body);
    for (let at = 0; at < body.length; at += 7) {
      const changed = body.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(codeOf(await foldRoster([{ ...statement, body: toBase64url(changed) }], w.three))).toBe("BAD_SIGNATURE");
    }
    const sig = fromBase64url(statement.sigs[0]?.sig ?? "");
    for (let at = 0; at < sig.length; at += 7) {
      const changed = sig.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      const sigs = [{ by: w.laptop.id, sig: toBase64url(changed) }];
      expect(codeOf(await foldRoster([{ ...statement, sigs }], w.three))).toBe("BAD_SIGNATURE");
    }
  });

  test("V6 signatures are exactly those that are needed", async () => {
    const statement = w.statements[3] as Statement;
    const [good] = statement.sigs;
    if (!good) throw new Error("no signature");
    const fold = async (sigs: unknown[]) => codeOf(await foldRoster([{ ...statement, sigs }], w.three));
    expect(await fold([good])).toBe("ok");
    expect(await fold([])).toBe("BAD_SIGNATURE");
    expect(await fold([good, good])).toBe("BAD_SIGNATURE");
    expect(await fold([{ ...good, by: w.desktop.id }])).toBe("BAD_SIGNATURE");
    expect(await fold([good, { by: w.desktop.id, sig: good.sig }])).toBe("BAD_SIGNATURE");
    expect(await fold([good, good, good])).toBe("BAD_ROSTER");
    expect(await fold([{ ...good, note: 1 }])).toBe("BAD_ROSTER");
  });

  test("V7 V35 a newer format or op asks for an update, whoever it is by", async () => {
    expect(await resay((body) => ({ ...body, v: 2, more: true }))).toBe("UNKNOWN_FORMAT");
    expect(await resay(withOp((op) => ({ ...op, op: "suite" })))).toBe("UNKNOWN_FORMAT");
    expect(await resay((body) => body)).toBe("ok");
  });

  test("V6 a body has its shape and nothing besides", async () => {
    const wrong: ((body: Record<string, unknown>) => unknown)[] = [
      (body) => ({ ...body, more: 1 }),
      ({ v: _v, ...body }) => body,
      (body) => ({ ...body, seq: "2" }),
      (body) => ({ ...body, seq: 3 }),
      (body) => ({ ...body, prev: null }),
      (body) => ({ ...body, prev: toBase64url(new Uint8Array(32)) }),
      (body) => ({ ...body, at: 5 }),
      (body) => ({ ...body, ops: {} }),
      (body) => [body],
      () => null,
      withOp((op) => ({ ...op, roles: ["command", "owner"] })),
      withOp((op) => ({ ...op, roles: ["command", "command"] })),
      withOp((op) => ({ ...op, id: String(op["id"]).toUpperCase() })),
      withOp((op) => ({ ...op, sign: `${String(op["sign"])}=` })),
      withOp((op) => ({ ...op, more: 1 })),
      withOp(({ platform: _p, ...op }) => op),
      withOp(() => null),
    ];
    for (const change of wrong) expect(await resay(change), change.toString()).toBe("BAD_ROSTER");
    expect(await resay((body) => ({ ...body, by: w.laptop.id }))).toBe("BAD_SIGNATURE");
  });

  test("V6 nothing is read again from other bytes of the same JSON", async () => {
    const statement = w.statements[2] as Statement;
    const spaced = utf8(`${fromUtf8(fromBase64url(statement.body))} `);
    expect(codeOf(await foldRoster([{ ...statement, body: toBase64url(spaced) }], w.paired))).toBe("BAD_SIGNATURE");
  });

  test("V9 a statement has at most 16 KiB", async () => {
    const statement = w.statements[2] as Statement;
    const large = { ...statement, body: "A".repeat(22_000) };
    expect(codeOf(await foldRoster([large], w.paired))).toBe("TOO_LARGE");
    for (const junk of [null, 7, "x", [], { body: 1, sigs: [] }, { body: "", sigs: [{ by: "cloud", sig: "" }] }])
      expect(codeOf(await foldRoster([junk], w.paired))).toBe("BAD_ROSTER");
  });
});
