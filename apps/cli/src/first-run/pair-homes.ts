import type { DrivenHome } from "./drive-home.ts";

/**
 * Pairs a new home with one that is signed in, as a person with two keyboards would: the code goes one way, the digits
 * the other way. Here one program sees both screens, so its yes is a true one.
 */
export async function pairHomes(member: DrivenHome, newcomer: DrivenHome, cloudUrl: string): Promise<void> {
  const seen = { code: later(), digits: later() };
  const joining = newcomer.json(["pair", "--server", cloudUrl, "--yes"], {
    onLine(line) {
      if (line.type === "code") seen.code.resolve(String(line.userCode));
      if (line.type === "digits") seen.digits.resolve(String(line.digits));
    },
  });
  const approving = async (): Promise<void> => {
    const { asks } = await member.json(["pair", "approve", await seen.code.promise], { allowed: [8] });
    const { pairingId } = asks as { pairingId: string };
    await member.json(["pair", "approve", pairingId, "--digits", await seen.digits.promise]);
  };
  await Promise.all([joining, approving()]);
}

function later(): { promise: Promise<string>; resolve: (text: string) => void } {
  let resolve = (_text: string): void => undefined;
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
