import { objectMember } from "@rad/core";
import type { SecretReference } from "@rad/core";
import { gitKeyOf } from "@rad/core/terraform";
import type { ResourceReader } from "@rad/resources";

/** A value that something needs. */
export interface NeededSecret extends SecretReference {
  /** The token of a Git host: the key may also be one that ends in `.pat`. */
  readonly isGit?: boolean;
}

/** Sentences about references that nobody can follow now: the secret is not there, or has no such key. */
export async function missingSecrets(
  references: readonly NeededSecret[],
  resources: Pick<ResourceReader, "get">,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  const keysOf = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  const seen = new Set<string>();
  for (const { secretId, key, isGit = false } of references) {
    const secret = secretId.toLowerCase();
    if (seen.has(`${secret} ${key}`)) {
      continue;
    }
    seen.add(`${secret} ${key}`);
    const keys = keysOf.get(secret) ?? readKeys(secretId, resources);
    keysOf.set(secret, keys);
    const found = await keys;
    const isThere = found !== undefined && (isGit ? gitKeyOf(found, "pat") !== undefined : found.has(key));
    if (!isThere) {
      const problem = found === undefined ? `does not exist; its key '${key}' is needed` : `has no key '${key}'`;
      warnings.push(`The secret '${secretId}' ${problem}. Recipes that use it fail until it is there.`);
    }
  }
  return warnings;
}

/** Names only: both types of secrets show their keys in `data`. */
async function readKeys(
  secretId: string,
  resources: Pick<ResourceReader, "get">,
): Promise<ReadonlySet<string> | undefined> {
  const document = await resources.get(secretId);
  if (document === undefined) {
    return undefined;
  }
  const body = await document.parsed();
  return new Set(Object.keys(objectMember(objectMember(body, "properties"), "data")));
}
