import { readFile } from "node:fs/promises";
import { DeviceError } from "../device-error.ts";
import { readObject } from "../replica/read-json.ts";

/** The JSON object of a file; null when there is none. Throws `broken_store`, which says nothing of the content. */
export async function readStored(path: string): Promise<Record<string, unknown> | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new DeviceError("broken_store", `${path} cannot be read. Nothing was changed.`, { cause: error });
  }
  const found = readObject(text);
  if (found === null)
    throw new DeviceError("broken_store", `${path} is damaged. Nothing was changed: put a copy back, or remove it.`);
  return found;
}
