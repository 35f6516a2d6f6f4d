import type { Server } from "../support/api.ts";

/** What tests look at in an entry of the list of orphans. */
export interface OrphanEntry {
  readonly kind: string;
  /** The resource that the recipe ran for. */
  readonly resourceId: string;
  /** Of a creation that was begun and not saved: its address and type. */
  readonly what: string;
}

export async function listOrphans(server: Server): Promise<readonly OrphanEntry[]> {
  const response = await fetch(`${server.url}/recipes/orphans`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  if (!response.ok) {
    throw new Error(`the list of orphans answers ${response.status}: ${await response.text()}`);
  }
  return ((await response.json()) as { readonly value: readonly OrphanEntry[] }).value;
}
