/** A small generator with a seed, so that a failure can be repeated. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A secret and the text that it is found in. Secrets are put together here, so that the sources hold none. */
export interface SeededSecret {
  secret: string;
  text: string;
}

/** `count` secrets of every kind in turn. */
export function seededSecrets(seed: number, count: number): SeededSecret[] {
  const next = seeded(seed);
  const draw = (letters: string, length: number): string =>
    Array.from({ length }, () => letters[next(letters.length)]).join("");
  const alnum = (length: number): string => `${draw(ALNUM, length - 2)}${draw("0123456789", 2)}`;
  const token = (prefix: string, body: string): SeededSecret => ({ secret: prefix + body, text: prefix + body });
  const inside = (before: string, secret: string, after = ""): SeededSecret => ({
    secret,
    text: before + secret + after,
  });
  const kinds: (() => SeededSecret)[] = [
    () => token("sk-ant-", `api03-${alnum(80)}`),
    () => token("sk-", alnum(48)),
    () => token("sk-proj-", alnum(60)),
    () => token("sk-or-v1-", draw(HEX, 64)),
    () => token("ghp_", alnum(36)),
    () => token("gho_", alnum(36)),
    () => token("ghs_", alnum(36)),
    () => token("github_pat_", `${alnum(22)}_${alnum(59)}`),
    () => token("glpat-", alnum(20)),
    () => token("xoxb-", `${draw("0123456789", 12)}-${draw("0123456789", 12)}-${alnum(24)}`),
    () => token("AKIA", draw(UPPER, 14) + draw("234567", 2)),
    () => token("ASIA", draw(UPPER, 14) + draw("234567", 2)),
    () => token("AIza", alnum(35)),
    () => token("whsec_", alnum(32)),
    () => token("sbp_", draw(HEX, 40)),
    () => token("npm_", alnum(36)),
    () => token("eyJ", `${alnum(30)}.eyJ${alnum(80)}.${alnum(43)}`),
    () => token("sk_live_", alnum(24)),
    () => token("rk_test_", alnum(24)),
    () => token("glrt-", alnum(20)),
    () => token("xapp-", `1-${alnum(40)}`),
    () => token("hooks.slack.com/services/", `T${alnum(8)}/B${alnum(8)}/${alnum(24)}`),
    () => token("GOCSPX-", alnum(28)),
    () => token("ya29.", alnum(60)),
    () => token("pypi-AgE", alnum(80)),
    () => token("hf_", alnum(34)),
    () => token("gsk_", alnum(52)),
    () => token("xai-", alnum(80)),
    () => token("dop_v1_", draw(HEX, 64)),
    () => token("SG.", `${alnum(22)}.${alnum(43)}`),
    () => token("lin_api_", alnum(40)),
    () => token("AGE-SECRET-KEY-1", draw(UPPER, 58)),
    () => inside("PRIVATE-TOKEN: ", alnum(32)),
    () => inside("SecretAccessKey=", alnum(40)),
    () => inside("postgres://app:", alnum(20), "@db.internal:5432/app"),
    () => inside("Authorization: Bearer ", alnum(40)),
    () => inside("authorization: Basic ", alnum(24)),
    () => inside("x-api-key: ", alnum(32)),
    () => inside('"aws_secret_access_key": "', alnum(40), '"'),
    () => {
      const body = Array.from({ length: 8 }, () => alnum(64)).join("\n");
      return inside("-----BEGIN RSA PRIVATE KEY-----\n", body, "\n-----END RSA PRIVATE KEY-----");
    },
  ];
  return Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] as () => SeededSecret)());
}

/** A PEM key has many lines: none of them may be left. */
export const pieces = (secret: string): string[] => secret.split("\n");
