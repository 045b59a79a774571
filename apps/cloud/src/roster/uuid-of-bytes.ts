/** The id of 16 bytes in base64url. */
export function uuidOfBytes(text: string): string {
  const hex = Buffer.from(text, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The 16 bytes of an id in base64url. */
export function bytesOfUuid(id: string): string {
  return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
}
