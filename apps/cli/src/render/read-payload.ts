/** Events are loose: a field that is not what it should be counts as absent. */
export type Payload = Readonly<Record<string, unknown>>;

export function textOf(payload: Payload, key: string): string | null {
  const value = payload[key];
  return typeof value === "string" ? value : null;
}

export function numberOf(payload: Payload, key: string): number | null {
  const value = payload[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function textsOf(payload: Payload, key: string): string[] {
  const value = payload[key];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** An object inside a payload; null when it is none. */
export function objectOf(payload: Payload, key: string): Payload | null {
  const value = payload[key];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : null;
}
