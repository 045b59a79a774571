/**
 * Whether a phone's browser can join at this address: keys and offline pages exist for https alone, or on the machine that
 * the address names itself.
 */
export function phoneReach(origin: string): "ok" | "this_machine" | "not_encrypted" {
  const { protocol, hostname } = new URL(origin);
  const isHere = hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]";
  if (isHere || /^127(\.\d+){3}$/.test(hostname)) return "this_machine";
  return protocol === "https:" ? "ok" : "not_encrypted";
}
