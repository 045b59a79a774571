/** Forms of well-known secrets. Each is bounded, so that a hostile text costs no more than any other. */
const FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END)){0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  /\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,200}/g,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,200}/g,
  /\bgh[oprsu]_[A-Za-z0-9]{30,255}/g,
  /\bgithub_pat_\w{30,255}/g,
  /\bglpat-[\w-]{20,100}/g,
  /\bxox[abeprs]-[\w-]{10,250}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{10,1000}/g,
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:]{1,100}:[^\s/@]{1,200}(?=@)/gi,
  /(?<=\b[A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD)=["']?)[^\s"'$]{8,500}/g,
];

/** What every form holds. Most texts hold none of it, and one look is enough for them. */
const HINT = /-----BEGIN|[srp]k[-_]|gh[oprsu]_|github_pat_|glpat-|xox|npm_|AKIA|ASIA|AIza|eyJ|:\/\/|=/;

export const REDACTED = "[redacted]";

/** The text with `[redacted]` in the place of what has the form of a secret: tokens, private keys, passwords in URLs. */
export function redactSecrets(text: string): string {
  if (!HINT.test(text)) return text;
  return FORMS.reduce((redacted, form) => redacted.replace(form, REDACTED), text);
}

/** True when `redactSecrets` would change it. */
export function holdsSecret(text: string): boolean {
  return redactSecrets(text) !== text;
}
