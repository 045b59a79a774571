/** Calls back for each string of plain data, keys as well, with the path of the value it belongs to. */
export function eachString(value: unknown, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === "string") visit(value, path);
  else if (Array.isArray(value))
    for (const [index, member] of value.entries()) eachString(member, `${path}[${index}]`, visit);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      const at = path === "" ? key : `${path}.${key}`;
      visit(key, at);
      eachString(member, at, visit);
    }
  }
}
