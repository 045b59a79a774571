import type { Cli } from "../cli.ts";
import { usageError } from "../cli-error.ts";
import { askSecret } from "./ask-secret.ts";

export interface NewPasswordQuestion {
  question: string;
  /** What it means when the two differ. */
  unequal: string;
  /** A command line that helps then. */
  hint?: string;
}

/** Asks for a new password twice without showing it; null when input ended, empty when nothing was typed. Throws a usage error when the two differ. */
export async function askNewPassword(
  cli: Pick<Cli, "stdin" | "output">,
  { question, unequal, hint }: NewPasswordQuestion,
): Promise<string | null> {
  const password = await askSecret(cli, question);
  if (password === null || password === "") return password;
  if ((await askSecret(cli, "Once more:")) === password) return password;
  throw usageError(`The two passwords are not the same. ${unequal}`, hint ?? null);
}
