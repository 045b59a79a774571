import { field } from "./field.ts";

/**
 * Whether Claude Code has a sign-in, from `claude auth status`: it sends nothing to a model and costs nothing (a stored
 * sign-in it may try to renew). True says that credentials are there, not that the provider still takes them.
 */
export function readClaudeAuth(output: string, exitCode: number): boolean | "unknown" {
  const loggedIn = field(parsed(output), "loggedIn");
  // 0 means signed in, 1 not signed in; an answer that contradicts its code is no answer.
  if (loggedIn === true && exitCode === 0) return true;
  if (loggedIn === false && (exitCode === 0 || exitCode === 1)) return false;
  return exitCode === 1 && /^Not logged in\b/m.test(output) ? false : "unknown";
}

/** The object in an output that may have warnings around it. */
function parsed(output: string): unknown {
  try {
    return JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
