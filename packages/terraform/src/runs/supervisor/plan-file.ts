import { openSync, unlinkSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";

/**
 * Terraform writes variables and the whole state into a plan file in clear, so the file must not be on a disk. It is
 * in memory, has no name, and is gone with the last process that has it open, however that ends.
 */
const memoryFolder = "/dev/shm";
const tmpfs = 0x01021994;

/** How Terraform calls the file that the supervisor gives it as a descriptor. */
const planFileDescriptor = 3;
export const planFilePath = `/proc/self/fd/${planFileDescriptor}`;

/** Whether there is memory for files. Without it only what Terraform prints of a plan is known. */
export async function hasMemoryForPlans(): Promise<boolean> {
  const found = await statfs(memoryFolder).catch(() => undefined);
  return found?.type === tmpfs;
}

/** @returns a descriptor of a file that nobody else can open */
export function openPlanFile(): number {
  const { randomBytes } = process.getBuiltinModule("node:crypto"); // most runs need none, and it takes 6 ms to load
  const path = join(memoryFolder, `rad-plan-${randomBytes(12).toString("hex")}`);
  const descriptor = openSync(path, "wx+", 0o600);
  unlinkSync(path);
  return descriptor;
}
