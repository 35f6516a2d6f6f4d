import { setTimeout as sleep } from "node:timers/promises";
import type { compose } from "./compose.ts";

/** What `compose.ts` stands on, each no more than a few dozen files besides what is loaded before. */
const pieces: readonly (() => Promise<unknown>)[] = [
  () => import("@rad/operations"),
  () => import("@rad/resource-types"),
  () => import("@rad/resources"),
  () => import("@rad/templates"),
  () => import("@rad/deployments"),
];

/** Loads the code behind the API piece by piece: loading keeps the thread, and in between requests get an answer. */
export async function loadCompose(): Promise<typeof compose> {
  for (const load of pieces) {
    await sleep(1);
    await load();
  }
  await sleep(1);
  return (await import("./compose.ts")).compose;
}
