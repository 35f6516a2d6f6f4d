import { setImmediate as nextTurn } from "node:timers/promises";
import { objectMember } from "@rad/core";
import { pageBytes, StoreError } from "@rad/store";
import { deploymentType, hasEnded, textMember } from "../deployment-document.ts";
import type { DeploymentHost } from "../deployment-host.ts";
import { removeEnded } from "./remove-deployment.ts";

/** Some have bodies of megabytes, and reading keeps the event loop. */
const pageSize = 20;

interface Remembered {
  readonly id: string;
  readonly timestamp: string;
}

/**
 * Forgets the deployments of a scope that ended longest ago, nested ones among them, until `historyLength` are left.
 * Those that run stay. Resolves to the number of deployments that were removed.
 */
export async function pruneHistory(host: DeploymentHost, scope: string): Promise<number> {
  const { count, ended } = await rememberedIn(host, scope);
  const surplus = Math.max(0, count - host.historyLength);
  ended.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  let removed = 0;
  for (const { id } of ended.slice(0, surplus)) {
    removed += (await forget(host, id)) ? 1 : 0;
  }
  return removed;
}

async function rememberedIn(
  { store }: DeploymentHost,
  scope: string,
): Promise<{ readonly count: number; readonly ended: Remembered[] }> {
  const ended: Remembered[] = [];
  let count = 0;
  let after: string | undefined;
  do {
    const query = { type: deploymentType, under: scope, directly: true, limit: pageSize, maxBytes: pageBytes };
    const page = await store.list({ ...query, ...(after === undefined ? {} : { after }) });
    count += page.items.length;
    for (const document of page.items) {
      if (document.operationId === undefined && hasEnded(document)) {
        const timestamp = textMember(objectMember(document.body, "properties"), "timestamp");
        ended.push({ id: document.id, timestamp });
      }
    }
    after = page.next;
    await nextTurn();
  } while (after !== undefined);
  return { count, ended };
}

async function forget({ store }: DeploymentHost, id: string): Promise<boolean> {
  const document = await store.get(id);
  if (document === undefined || document.operationId !== undefined) {
    return false;
  }
  try {
    await removeEnded(store, document);
    return true;
  } catch (error) {
    const changed = error instanceof StoreError && (error.code === "EtagMismatch" || error.code === "GuardFailed");
    if (changed) {
      return false; // it was started again, or somebody else removed it
    }
    throw error;
  }
}
