/** How the tokens of the table begin that have a separator, which ends each of these. */
const BEGINNINGS = [
  "sk-|[sr]k_(?=live|test)|gh[pousr]_|github_|gl[a-z]{2,4}-|xox[abeprs]-|xapp-|whsec_|sbp_|npm_|pypi-|hf_|gsk_|xai-",
  "do[opr]_|lin_|AGE-|GOCSPX-|[Aa]pi-|API-|[Pp]rivate-|PRIVATE-|[Ss]ecret_|SECRET_|[Aa]ccess_|ACCESS_",
].join("|");
/** Their last two letters: with three characters of which the third is a separator the search skips most of a text. */
const ENDINGS = "[srg]k|[abrdtc]t|x[abeprs]|pp|[pa]i|PI|GE|PX|te|TE|h[pousr]|ub|ec|bp|pm|hf|o[opr]|in|et|ET|ss|SS";

const MARKS = [
  new RegExp(`(?:${ENDINGS})[-_](?<=${BEGINNINGS})`),
  /A(?:KIA|SIA|BIA|CCA|Iza)/,
  /[uU][tT][hH][oO][rR][iI][zZ]/,
];
const WORDS = [".eyJ", "SG.", "ya29.", "PRIVATE KEY", "AccessKey", ".slack.com/"];
const ADDRESS = /:\\?\/\\?\/[^\s/@"]{4,400}@/;

/**
 * False when no rule of the table can match: then a text is not looked at any further. Every line that an agent prints
 * comes through here, so several quick searches stand in place of one that tries all rules at every character.
 */
export function mayHoldSecret(text: string): boolean {
  return (
    MARKS.some((mark) => mark.test(text)) ||
    WORDS.some((word) => text.includes(word)) ||
    (text.includes("@") && ADDRESS.test(text))
  );
}
