import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { ModuleError } from "./module-error.ts";

/**
 * The content of a regular file; `undefined` for a folder, a pipe or a device, none of which is waited for.
 * @throws ModuleError `ModuleTooLarge`
 */
export async function readBounded(file: string, maxBytes: number): Promise<Buffer | undefined> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (!found.isFile()) {
    return undefined;
  }
  if (found.size > maxBytes) {
    throw new ModuleError("ModuleTooLarge", `A file of the module is larger than ${maxBytes >> 10} KiB.`);
  }
  const buffer = Buffer.alloc(found.size);
  const { bytesRead } = await handle.read(buffer, 0, found.size, 0);
  return buffer.subarray(0, bytesRead);
}
