import { beforeEach, describe, expect, test } from "vitest";
import type { AccountStore, StoredAccount } from "../ports/account-store.ts";

export const anAccount = (change: Partial<StoredAccount> = {}): StoredAccount => ({
  cloudUrl: "https://cloud.example",
  email: "ann@example.org",
  vault: "AAAAAAAAAAAAAAAAAAAAAA",
  deviceId: "11111111-0000-4000-8000-000000000001",
  incarnation: "BBBBBBBBBBBBBBBBBBBBBB",
  statements: [{ body: "e30", sigs: [{ by: "recovery", sig: "c2ln" }] }],
  lastN: 0,
  inherited: { "22222222-0000-4000-8000-000000000002": { n: 3, hash: "aGFzaA" } },
  paused: false,
  acknowledged: [],
  stopped: null,
  ...change,
});

export interface AccountStoreUnderTest {
  open: (o: { again: boolean; onClear: () => Promise<void> }) => Promise<{ store: AccountStore; close: () => void }>;
  /** False for a store that forgets at its close. */
  durable: boolean;
}

/** What every store of an account must do. */
export function accountStoreContract(name: string, { open, durable }: AccountStoreUnderTest): void {
  describe(`account store contract: ${name}`, () => {
    let store: AccountStore;
    let close = (): void => {};
    let cleared = 0;
    const onClear = async (): Promise<void> => void (cleared += 1);
    beforeEach(async () => {
      ({ store, close } = await open({ again: false, onClear }));
      cleared = 0;
      return () => close();
    });

    test("an account is kept whole, and changed field by field", async () => {
      expect(await store.load()).toBeNull();
      await store.save(anAccount());
      expect(await store.load()).toEqual(anAccount());
      await store.change({ paused: true, stopped: "VAULT_CHANGED" });
      expect(await store.load()).toEqual(anAccount({ paused: true, stopped: "VAULT_CHANGED" }));
    });

    test("what was loaded or saved is not the stored one", async () => {
      const account = anAccount();
      await store.save(account);
      account.statements.length = 0;
      (await store.load())?.acknowledged.push("x");
      expect(await store.load()).toEqual(anAccount());
    });

    test("V22 no n is ever given twice, however many ask at once", async () => {
      await store.save(anAccount({ lastN: 7 }));
      const counts = [1, 3, 1, 2, 5, 1];
      const firsts = await Promise.all(counts.map((count) => store.takeN(count)));
      const given = firsts.flatMap((first, i) => Array.from({ length: counts[i] ?? 0 }, (_, k) => first + k));
      expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, i) => 8 + i));
      await Promise.all([store.change({ paused: true }), store.takeN(1)]);
      expect(await store.load()).toMatchObject({ lastN: 21, paused: true });
    });

    test("without an account nothing is numbered and nothing changed", async () => {
      await expect(store.takeN(1)).rejects.toMatchObject({ code: "no_account" });
      await expect(store.change({ paused: true })).rejects.toMatchObject({ code: "no_account" });
      expect(await store.load()).toBeNull();
    });

    test("signing out forgets it, and what came from others with it", async () => {
      await store.save(anAccount());
      await store.clear();
      expect([await store.load(), cleared]).toEqual([null, 1]);
    });

    if (durable)
      test("it is there again in the next process, with the numbers that were given", async () => {
        await store.save(anAccount());
        await store.takeN(4);
        close();
        ({ store, close } = await open({ again: true, onClear }));
        expect(await store.load()).toEqual(anAccount({ lastN: 4 }));
        expect(await store.takeN(1)).toBe(5);
      });
  });
}
