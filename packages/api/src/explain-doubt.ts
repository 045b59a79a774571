/**
 * The sentence of a command of which nobody knows whether it ran: what went wrong, and what to do. `said` may tell the
 * doubt itself already.
 */
export function explainDoubt(said: string): string {
  if (/may or may not have run/i.test(said)) return said;
  return `${/[.?!)]$/.test(said) ? said : `${said}.`} It may or may not have run: look at the session.`;
}
