/** What every answer of ours carries, refusals and streams included. There are no CORS headers, ever. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Where https is used once, it is used always. */
export const HTTPS_HEADERS: Readonly<Record<string, string>> = {
  "strict-transport-security": "max-age=31536000",
};
