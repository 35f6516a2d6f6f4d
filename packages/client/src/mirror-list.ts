import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { ClientError } from "./client-error.ts";

/** What an environment's recipes need from elsewhere. */
export interface MirrorList {
  readonly platforms: readonly string[];
  readonly binaries: readonly MirroredBinary[];
  readonly providers: readonly MirroredProvider[];
  readonly modules: readonly MirroredModule[];
  /** Recipes that cannot be told, and why. */
  readonly errors: readonly {
    readonly code: string;
    readonly message: string;
    readonly recipes: readonly string[];
  }[];
  readonly body: JsonObject;
}

export interface MirroredBinary {
  readonly product: string;
  readonly version: string;
  readonly platform: string;
  readonly url?: string;
  readonly sha256?: string;
  readonly error?: string;
}

export interface MirroredProvider {
  readonly address: string;
  readonly version: string;
  readonly packages: readonly { readonly platform: string; readonly hashes: readonly string[] }[];
  readonly recipes: readonly string[];
}

export interface MirroredModule {
  readonly source: string;
  readonly version?: string;
  readonly commit?: string;
  readonly recipes: readonly string[];
}

export function mirrorListPath(environmentId: string): string {
  return `/recipes/mirror-list${environmentId}`;
}

const lists = ["platforms", "binaries", "providers", "modules", "errors"] as const;

/** @throws ClientError for an answer that is none */
export function toMirrorList(body: JsonValue | undefined): MirrorList {
  if (!isJsonObject(body) || !lists.every((name) => Array.isArray(body[name]))) {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not a list of what to mirror.");
  }
  return { ...(body as unknown as Omit<MirrorList, "body">), body };
}
