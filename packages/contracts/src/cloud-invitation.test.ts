import { expect, test } from "vitest";
import { readInvitation, writeInvitation } from "./cloud-invitation.ts";

const ID = `${"a-_9".repeat(5)}bQ`;

test("what is written is read again, as a whole address or as the invitation alone", () => {
  for (const origin of ["https://hands.example", "http://127.0.0.1:8787", "http://[::1]:8787"])
    expect(readInvitation(` ${writeInvitation(origin, ID)}\n`)).toEqual({ origin, invitation: ID });
  expect(readInvitation(ID)).toEqual({ origin: null, invitation: ID });
});

test.each([
  "",
  "ABCD-EFGH",
  ID.slice(1),
  `${ID}A`,
  // The last symbol holds two bits more than there are: two spellings of one invitation.
  `${ID.slice(0, -1)}R`,
  `https://hands.example/pair#1.${ID}.${ID}`,
  `https://hands.example/other#i.${ID}`,
  `https://hands.example/pair?i.${ID}`,
  `https://ada@hands.example/pair#i.${ID}`,
  `ftp://hands.example/pair#i.${ID}`,
  `https://hands.example/pair#i.${ID}#`,
])("%j is no invitation", (text) => {
  expect(readInvitation(text)).toBeNull();
});
