import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Names of the files below `folder` that contain the text. */
export async function findInFiles(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(file)).includes(text)) {
      found.push(file);
    }
  }
  return found;
}
