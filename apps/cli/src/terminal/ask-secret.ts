import { StringDecoder } from "node:string_decoder";
import type { Cli, Source } from "../cli.ts";
import { CliError } from "../cli-error.ts";

const ENTER = /[\r\n]/;
const ESCAPES = /\u001b(\[[0-9;]*[A-Za-z~]|O[A-Z])/g;

/**
 * Asks on stderr and reads what the person types without showing it; null when input ended instead. Throws a CliError
 * with exit code 130 on Ctrl-C. The terminal shows again what is typed, whatever happens.
 */
export async function askSecret(cli: Pick<Cli, "stdin" | "output">, question: string): Promise<string | null> {
  cli.output.ask(question);
  cli.stdin.setRawMode?.(true);
  try {
    return await readHidden(cli.stdin);
  } finally {
    cli.stdin.setRawMode?.(false);
    cli.output.note("");
  }
}

function readHidden(source: Source): Promise<string | null> {
  if (source.readableEnded || source.destroyed) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const decoder = new StringDecoder("utf8");
    let typed = "";
    const take = (chunk: Buffer | string): void => {
      const text = (typeof chunk === "string" ? chunk : decoder.write(chunk)).replace(ESCAPES, "");
      for (const [at, key] of [...text].entries()) {
        const step = pressKey(typed, key);
        if (typeof step === "string") {
          typed = step;
          continue;
        }
        leave();
        const rest = [...text].slice(at + 1).join("");
        if (rest !== "" && step.ended) source.unshift(typeof chunk === "string" ? rest : Buffer.from(rest));
        if (step.ended) resolve(step.value);
        else reject(interrupted());
        return;
      }
    };
    const end = (): void => {
      leave();
      resolve(typed === "" ? null : typed);
    };
    const leave = (): void => {
      source.pause();
      source.off("data", take).off("end", end).off("close", end).off("error", end);
    };
    source.on("data", take).on("end", end).on("close", end).on("error", end);
    source.resume();
  });
}

/** What a key makes of the text typed so far: the new text, the end with its value, or an interruption. */
function pressKey(typed: string, key: string): string | { ended: true; value: string | null } | { ended: false } {
  if (ENTER.test(key)) return { ended: true, value: typed };
  switch (key) {
    case "\u0003":
      return { ended: false };
    case "\u0004":
      return { ended: true, value: typed === "" ? null : typed };
    case "\u0008":
    case "\u007f":
      return [...typed].slice(0, -1).join("");
    case "\u0015":
      return "";
    default:
      return key < " " ? typed : typed + key;
  }
}

/** Ctrl-C where something was waited for; `kept` says what that means. */
export function interrupted(kept = "Nothing was sent."): CliError {
  return new CliError({ code: "interrupted", exitCode: 130, message: `Interrupted. ${kept}` });
}
