/** A value of the child's environment that must not leave the machine, and the ways it can be written. */
export interface SecretValue {
  /** The variable's name. */
  name: string;
  /** As it stands inside a string of JSON: safe to look for in any text. */
  escaped: string[];
  /** Forms that no string of JSON can hold as they are; looked for in plain text only. */
  plain: string[];
}

const SHORTEST = 8;

const SECRET_NAME =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SIGNING|SECRET|ENCRYPTION|MASTER)?_?KEYS?|\w*TOKENS?|\w*SECRETS?|PASS|PASSWD|PASSWORDS?|PASSPHRASE|PWD|PW|CREDENTIALS?|COOKIES?|DSN|AUTH|BEARER|PAT)(?:$|_)/i;
const OPEN_NAME =
  /^(?:PATH|HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TMPDIR|TMP|TEMP|TZ|XDG_\w+|SSH_AUTH_SOCK|HOSTNAME|DISPLAY|EDITOR|VISUAL|PAGER|NO_PROXY|no_proxy|SHLVL|CODEHANDS_(?:SESSION|RUN)_ID|CI)$|_(?:DIR|PATH|HOME|FILE|URL|URI|HOST|PORT|REGION|VERSION|MODEL|BUNDLE|SOCK|ORG|PROJECT)$/;

/** The values of an environment to be masked: secret by name, or by looking random, or the password inside an address. */
export function secretValues(env: Readonly<Record<string, string>>): SecretValue[] {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    for (const secret of secretsIn(name, value)) if (!found.has(secret)) found.set(secret, name);
  }
  return [...found].map(([secret, name]) => ({ name, ...writtenForms(secret) }));
}

function secretsIn(name: string, value: string): string[] {
  const inAddress = [...passwordsInAddresses(value), ...(/_HEADERS?$/.test(name) ? headerValues(value) : [])];
  const isOpen = OPEN_NAME.test(name) || isPlace(value);
  const named = SECRET_NAME.test(name) && name !== "PWD" && !isOpen;
  const whole = named ? hasSomeEntropy(value) : !isOpen && looksRandom(value);
  const lines = whole && value.includes("\n") ? value.split(/\r?\n/).map((line) => line.trim()) : [];
  const parts = lines.filter((line) => line.length >= 16 && !line.startsWith("-----"));
  return [...(whole ? [value.trim()] : []), ...parts, ...inAddress].filter((text) => text.length >= SHORTEST);
}

function passwordsInAddresses(value: string): string[] {
  const passwords = [...value.matchAll(/:\/\/[^\s:/@]{0,128}:([^\s/@]{1,256})@/g)].map((match) => match[1] ?? "");
  return passwords.flatMap((password) => [password, decoded(password)]).filter(hasSomeEntropy);
}

/** Header lines, as `ANTHROPIC_CUSTOM_HEADERS` has them: each value, and what follows its scheme. */
function headerValues(value: string): string[] {
  const values = value.split(/\r?\n/).map((line) => line.slice(line.indexOf(":") + 1).trim());
  return values.flatMap((text) => [text, text.slice(text.lastIndexOf(" ") + 1)]).filter(hasSomeEntropy);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isPlace = (value: string): boolean =>
  /^(?:~|\.{1,2})?\/[^\s+=]*$/.test(value) && (value.match(/\//g)?.length ?? 0) >= 2 && !/[A-Za-z0-9]{24}/.test(value);

const hasSomeEntropy = (value: string): boolean => value.length >= SHORTEST && new Set(value).size >= 5;

function looksRandom(value: string): boolean {
  if (value.length < 16 || /\s/.test(value) || /^https?:/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits >= 3 && (value.match(/[0-9]/g)?.length ?? 0) >= 2 && /[A-Za-z]/.test(value);
}

function writtenForms(secret: string): { escaped: string[]; plain: string[] } {
  const once = inJson(secret);
  const encoded = encodeURIComponent(secret);
  const escaped = new Set([once, inJson(once), once.replaceAll("/", "\\/"), inAscii(once), encoded]);
  return { escaped: [...escaped], plain: escaped.has(secret) ? [] : [secret] };
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Some programs write JSON in ASCII alone. */
const inAscii = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
