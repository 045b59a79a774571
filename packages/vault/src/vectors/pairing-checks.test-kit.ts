import vectors from "../../test/vault-vectors.json" with { type: "json" };
import { fromBase64url, toBase64url } from "../bytes/base64url.ts";
import { fromHex, fromUtf8, utf8 } from "../bytes/text.ts";
import { RECOVERY } from "../envelopes/envelope.ts";
import { readPayload, writePayload } from "../envelopes/payload.ts";
import { openEnvelope, sealEnvelope } from "../envelopes/seal-envelope.ts";
import {
  pairCommit,
  pairDigits,
  pairQrTag,
  pairTranscript,
  readNewcomer,
  readOffer,
  revealBinding,
  writeNewcomer,
  writeOffer,
} from "../pairing/pairing-messages.ts";
import { readQr, writeQr } from "../pairing/qr-text.ts";
import { hpkeOpen, hpkeSeal } from "../primitives/hpke.ts";
import { keyPairFromSeed } from "../primitives/key-pair.ts";
import { confirmsCode, newRecoveryCode, readRecoveryCode, recoveryKeys } from "../recovery/recovery-code.ts";
import { SYMBOLS } from "../recovery/symbols.ts";
import { codeOf, must } from "../vault-world.test-kit.ts";
import { same, type VectorCheck } from "./expect-same.test-kit.ts";
import { vectorKeys } from "./key-checks.test-kit.ts";

const v = vectors.pairing;
const pairingId = fromHex(v.pairingId);
const commit = fromHex(v.commit);
const offer = utf8(v.msgO);
const newcomer = utf8(v.msgN);
const ephemeral = () => keyPairFromSeed("X25519", fromHex(v.ephemeralSeed));

export const PAIRING_CHECKS: readonly VectorCheck[] = [
  {
    name: "V18 an envelope for a device, sealed and opened",
    run: async () => {
      const { roster } = await vectorKeys();
      const [vector] = vectors.envelopes;
      const desktop = vectors.devices[1];
      if (!vector?.payload || !desktop) throw new Error("no vector");
      const agree = await keyPairFromSeed("X25519", fromHex(desktop.agreeSeed));
      const payload = must(await openEnvelope(vector.envelope, { roster, to: desktop.id, agree }));
      same(fromUtf8(writePayload(payload)), vector.payload);
      const { privateKey } = await keyPairFromSeed("Ed25519", fromHex(vectors.devices[0]?.signSeed ?? ""));
      const plan = { roster, to: desktop.id, payload: readPayload(utf8(vector.payload)), ephemeral: await ephemeral() };
      const sealed = await sealEnvelope(plan, { by: vector.envelope.by, privateKey });
      same({ ...sealed, sig: "" }, { ...vector.envelope, sig: "" });
    },
  },
  {
    name: "V18 V34 an envelope for the recovery key",
    run: async () => {
      const { roster } = await vectorKeys();
      const { agree } = await recoveryKeys(vectors.recovery.symbols);
      const payload = must(await openEnvelope(vectors.envelopes[1]?.envelope, { roster, to: RECOVERY, agree }));
      same(
        payload.keys.map(({ epoch, root }) => ({ epoch, root: toBase64url(root) })),
        vectors.roots.map(({ epoch, root }) => ({ epoch, root: toBase64url(fromHex(root)) })),
      );
    },
  },
  {
    name: "V34 recovery codes, shown, typed and refused",
    run: async () => {
      const { accepted, refused, symbols, shown } = vectors.recovery;
      const bytes = Uint8Array.from(symbols, (symbol) => SYMBOLS.indexOf(symbol) + 224);
      same(await newRecoveryCode(() => bytes), shown);
      for (const typed of accepted) same(must(await readRecoveryCode(typed)), symbols);
      for (const typed of refused) same(codeOf(await readRecoveryCode(typed)), "BAD_CODE");
      same([confirmsCode(shown, "s8mvb"), confirmsCode(shown, "S8MVC")], [true, false]);
      const { sign, agree } = await recoveryKeys(symbols);
      same(sign.publicKey, fromHex(vectors.recovery.signPublic));
      same(agree.publicKey, fromHex(vectors.recovery.agreePublic));
    },
  },
  {
    name: "V29 the messages of a pairing",
    run: async () => {
      same(fromUtf8(writeNewcomer(readNewcomer(newcomer))), v.msgN);
      same(fromUtf8(writeOffer(readOffer(offer))), v.msgO);
      same(await pairCommit(newcomer), commit);
    },
  },
  {
    name: "V29 the reveal, the transcript and the digits",
    run: async () => {
      const laptop = await keyPairFromSeed("X25519", fromHex(vectors.devices[0]?.agreeSeed ?? ""));
      const binding = await revealBinding(pairingId, offer);
      const sealed = await hpkeSeal({ publicKey: laptop.publicKey, ephemeral: await ephemeral() }, binding, newcomer);
      same(sealed.enc, fromHex(v.reveal.enc));
      same(sealed.ct, fromHex(v.reveal.ct));
      same(fromUtf8(await hpkeOpen(laptop, binding, sealed)), v.msgN);
      const transcript = await pairTranscript({ pairingId, commit, offer, newcomer });
      same(transcript, fromHex(v.transcript));
      same(await pairDigits(transcript), v.digits);
    },
  },
  {
    name: "V31 the QR and its tag",
    run: async () => {
      const secret = fromHex(v.qrSecret);
      same(await pairQrTag(secret, { pairingId, commit, offer }), fromHex(v.qrTag));
      same(writeQr("https://cloud.example", { pairingId, commit, secret }), v.qrText);
      const read = must(await readQr(v.qrText, "https://cloud.example"));
      same(read.secret, secret);
      same(codeOf(await readQr(v.qrText, "https://other.example")), "WRONG_PLACE");
      same(fromBase64url(toBase64url(read.commit)), commit);
    },
  },
];
