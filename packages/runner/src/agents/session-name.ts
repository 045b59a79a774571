/** Whether a text may name an agent's own session: it becomes a word of a command line, so it must be no option. */
export function isSessionName(text: string): boolean {
  return /^[A-Za-z0-9][\w.:-]{0,127}$/.test(text);
}
