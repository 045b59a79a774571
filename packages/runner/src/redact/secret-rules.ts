/** The one table of what a secret looks like. Redaction and the check before an approval both read it. */

export interface SecretRule {
  /** Name shown to people, for example in the review. */
  rule: string;
  /** A cheap expression without look-behind; a text that it does not match holds no secret of this rule. */
  probe: RegExp;
  /** Group 1 is kept as it is, group 2 is the secret. Every quantifier that can fail late is bounded: linear on any input. */
  pattern: RegExp;
  /** False for what has the form and is only an example. */
  accept: (secret: string) => boolean;
}

// A token begins after a character that cannot be part of it, or after an escape of JSON: in "\nghp_…" the n is no letter.
const START = String.raw`(?<=^|[^A-Za-z0-9_]|\\[bfnrt]|\\u[0-9a-fA-F]{4})`;
const WORD = "[A-Za-z0-9_-]";

// {n,} keeps a place to go back to for every character and runs out of stack at a few million; a star after {n} does not.
const atLeast = (least: number, set: string): string => `${set}{${least}}${set}*`;
const ALNUM = "[A-Za-z0-9]";

const EXAMPLE = /example|placeholder|your[-_]|xxxx|\.\.\.|dummy|change-?me|redacted|0123456789|123456789/i;
const COMMON_PASSWORD =
  /^(?:pass|passwd|password|pwd|secret|root|admin|user|username|test|testing|token|postgres|mysql|guest|foo|bar|x+|\*+)$/i;

const isRandom = (text: string): boolean => {
  if (EXAMPLE.test(text)) return false;
  const digits = text.match(/[0-9]/g)?.length ?? 0;
  // A number with an exponent is no secret: the letter must be another one than e.
  return digits >= 2 && /[A-DF-Za-df-z]/.test(text) && new Set(text).size >= Math.min(8, text.length * 0.4);
};

const isMixed = (text: string): boolean => {
  if (EXAMPLE.test(text) || text.length < 8) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(text)).length;
  return kinds >= 2 && new Set(text).size >= 6;
};

const isPassword = (text: string): boolean =>
  !COMMON_PASSWORD.test(text) && !EXAMPLE.test(text) && !/^[$<{[%*]/.test(text) && new Set(text).size >= 3;

/** A token that is known by how it begins. `probe` stays short: it decides how fast ordinary text passes. */
const token = (rule: string, form: string, probe: string): SecretRule => ({
  rule,
  probe: new RegExp(probe),
  pattern: new RegExp(`${START}()(${form})`, "g"),
  accept: isRandom,
});

const HEADER_GAP = String.raw`[\\"']{0,6}\s{0,4}[:=,]\s{0,4}[\\"'\x60]{0,6}`;

export const SECRET_RULES: readonly SecretRule[] = [
  token("anthropic-key", `sk-ant-${atLeast(16, WORD)}`, "sk-ant-"),
  token("openrouter-key", `sk-or-v1-${atLeast(16, WORD)}`, "sk-or-v1"),
  token("api-key", `sk-${atLeast(20, WORD)}`, `sk-${WORD}{20}`),
  token("stripe-key", `[sr]k_(?:live|test)_${atLeast(16, ALNUM)}`, "[sr]k_(?:live|test)_"),
  token("github-token", `gh[pousr]_${atLeast(30, ALNUM)}`, "gh[pousr]_[A-Za-z0-9]"),
  token("github-token", `github_pat_${atLeast(22, "[A-Za-z0-9_]")}`, "github_pat_"),
  token("gitlab-token", `gl(?:pat|dt|rt|cbt|ptt|soat)-${atLeast(20, WORD)}`, "gl[a-z]{2,4}-[A-Za-z0-9_-]{20}"),
  token("slack-token", `(?:xox[abeprs]|xapp)-${atLeast(10, "[A-Za-z0-9-]")}`, "xox[abeprs]-|xapp-"),
  token("slack-webhook", `hooks\\.slack\\.com\\/services\\/${atLeast(20, "[A-Za-z0-9/]")}`, "hooks\\.slack"),
  token("aws-key-id", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]"),
  token("google-key", `AIza${atLeast(35, WORD)}`, "AIza"),
  token("google-oauth", `(?:GOCSPX-${atLeast(20, WORD)}|ya29\\.${atLeast(20, WORD)})`, "GOCSPX-|ya29\\."),
  token("webhook-secret", `whsec_${atLeast(20, "[A-Za-z0-9+/=]")}`, "whsec_"),
  token("supabase-token", `sbp_${atLeast(30, ALNUM)}`, "sbp_[A-Za-z0-9]"),
  token("npm-token", `npm_${atLeast(36, ALNUM)}`, "npm_[A-Za-z0-9]{30}"),
  token("pypi-token", `pypi-AgE${atLeast(40, WORD)}`, "pypi-AgE"),
  token("hugging-face-token", `hf_${atLeast(30, ALNUM)}`, "hf_[A-Za-z0-9]{30}"),
  token("groq-key", `gsk_${atLeast(30, ALNUM)}`, "gsk_[A-Za-z0-9]{30}"),
  token("xai-key", `xai-${atLeast(30, ALNUM)}`, "xai-[A-Za-z0-9]{30}"),
  token("digitalocean-token", `do[opr]_v1_${atLeast(60, "[a-f0-9]")}`, "do[opr]_v1_"),
  token("sendgrid-key", `SG\\.${WORD}{16,32}\\.${WORD}{32,64}`, "SG\\.[A-Za-z0-9_-]{16}"),
  token("linear-key", `lin_(?:api|oauth)_${atLeast(30, ALNUM)}`, "lin_(?:api|oauth)_"),
  token("age-key", `AGE-SECRET-KEY-1${atLeast(50, "[A-Z0-9]")}`, "AGE-SECRET"),
  {
    rule: "jwt",
    probe: /eyJ[A-Za-z0-9_-]{10}/,
    // Starts only where no token character stands before it, so that no stretch is read more than three times.
    pattern: new RegExp(
      String.raw`(?<=^|[^A-Za-z0-9_-]|\\[bfnrt]|\\u[0-9a-fA-F]{4})()(eyJ${atLeast(10, WORD)}\.eyJ${atLeast(10, WORD)}\.${atLeast(10, WORD)})`,
      "g",
    ),
    accept: isRandom,
  },
  {
    rule: "url-password",
    probe: /:\\?\/\\?\/[^\s:/@"'`\\]{0,128}:[^\s/@]{3,256}@/,
    pattern: /(:\\?\/\\?\/[^\s:/@"'`\\<>]{0,128}:)((?:[^\s/@"'`\\<>]|\\["\\]){3,256})(?=@[A-Za-z0-9[])/g,
    accept: isPassword,
  },
  {
    rule: "authorization",
    probe: /[Aa]uthorization|AUTHORIZATION/,
    pattern: new RegExp(
      `(authorization${HEADER_GAP}(?:bearer|basic|token|apikey)\\s{1,4})(${atLeast(8, "[A-Za-z0-9._~+/=-]")})`,
      "gi",
    ),
    accept: isMixed,
  },
  {
    rule: "api-key-header",
    probe: /[Aa]pi-[Kk]ey|API-KEY|[Pp]rivate-[Tt]oken|PRIVATE-TOKEN/,
    pattern: new RegExp(`((?:api-key|private-token)${HEADER_GAP})(${atLeast(16, "[A-Za-z0-9._~+/=-]")})`, "gi"),
    accept: isRandom,
  },
  {
    rule: "aws-secret-key",
    probe: /[Ss]ecret_?[Aa]ccess_?[Kk]ey|SECRET_ACCESS_KEY/,
    pattern: new RegExp(
      `((?:[Ss]ecret_[Aa]ccess_[Kk]ey|[Ss]ecretAccessKey|SECRET_ACCESS_KEY)${HEADER_GAP})([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])`,
      "g",
    ),
    accept: isMixed,
  },
];
