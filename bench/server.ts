import { measureMemory } from "./server-memory.ts";
import { measureReady } from "./server-start.ts";
import type { Measurement } from "./report.ts";

/** How soon a server is ready, and what it takes in memory when left alone and after work. */
export async function measureServer(): Promise<readonly Measurement[]> {
  return [...(await measureReady()), ...(await measureMemory())];
}
