import type { Client } from "@rad/client";
import { deploymentsApiVersion, systemApiVersion } from "@rad/client";
import { CliError } from "../cli-error.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";

/** A path of the server or a link that it sent; others are below the scope of the workspace, `providers/…`. */
export async function absoluteUrl(typed: string, scope: () => Promise<string>): Promise<string> {
  if (/^planes\//i.test(typed)) {
    return `/${typed}`;
  }
  return /^(?:\/|https?:\/\/)/i.test(typed) ? typed : `${await scope()}/${typed}`;
}

/**
 * The api-version for a path of the API that has none: that of the deployments and of the system types, and of other types
 * the one that the type prefers. `undefined` for what takes none, and for a type that nobody has registered, which the
 * control plane explains better.
 */
export async function apiVersionFor(client: Client, url: string): Promise<string | undefined> {
  const [path = "", query = ""] = url.split(/[?#]/);
  if (!/^\/planes(?:\/|$)/i.test(path) || new URLSearchParams(query).has("api-version")) {
    return undefined;
  }
  const type = typeOf(path);
  if (type === undefined || /^system\./i.test(type)) {
    return systemApiVersion;
  }
  if (/^microsoft\.resources\//i.test(type)) {
    return deploymentsApiVersion;
  }
  try {
    return (await createTypeLookup(client).find(type)).apiVersion;
  } catch (error) {
    if (error instanceof CliError) {
      return undefined;
    }
    throw error;
  }
}

/** `Namespace/type` of a resource, an action on one, or a list of them; `undefined` where the path has no type. */
function typeOf(path: string): string | undefined {
  const [, namespace, type] = /^.*\/providers\/([^/]+)\/([^/]+)/i.exec(path) ?? [];
  const isLookup = type?.toLowerCase() === "locations"; // operations, which belong to the system
  return namespace === undefined || type === undefined || isLookup ? undefined : `${namespace}/${type}`;
}
