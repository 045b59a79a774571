import { execFile } from "node:child_process";
import { findProgram } from "../agents/find-program.ts";

export interface Notice {
  title: string;
  body: string;
}

/** Shows a person something on this machine's desktop. It is never waited for and never fails. */
export type ShowNotice = (notice: Notice) => void;

const TIMEOUT_MS = 5_000;
/** The texts come as arguments of the script: no character of them is ever read as a part of it. */
const SCRIPT = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";

/** The desktop of this machine, when it has one: `notify-send` on Linux, `osascript` on macOS, nothing elsewhere. */
export function createDesktopNotices(o: {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string>>;
}): ShowNotice {
  return (notice) => {
    const call = planNotice(o.platform, notice);
    if (call === null) return;
    findProgram(call.program, o.environment.PATH)
      .then((path) => {
        if (path === null) return;
        const options = { env: { ...o.environment }, timeout: TIMEOUT_MS };
        execFile(path, call.args, options, () => {});
      })
      .catch(() => {});
  };
}

/** The program and its arguments; null where there is none. No shell is ever started. */
export function planNotice(platform: NodeJS.Platform, notice: Notice): { program: string; args: string[] } | null {
  const title = plainLine(notice.title, 120);
  const body = plainLine(notice.body, 400);
  if (platform === "darwin") return { program: "osascript", args: ["-e", SCRIPT, "--", title, body] };
  if (platform !== "linux") return null;
  return { program: "notify-send", args: ["--app-name=Code Hands", "--", title, escapeMarkup(body)] };
}

/** One line without control characters or marks that turn the direction of text, cut to `most` characters. */
function plainLine(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  const letters = [...line];
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join("")}…`;
}

/** Desktops read the body as markup. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
