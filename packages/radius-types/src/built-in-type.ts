import type { JsonObject } from "@rad/core";
import type { Secrets } from "@rad/resource-types";

/** What `POST {resource}/listSecrets` answers, from the stored properties and the sealed values by JSON pointer. */
export type ListSecrets = (properties: JsonObject, secrets: Readonly<Secrets>) => JsonObject;

/** A resource type that every installation has, described like the types that manifests add. */
export interface BuiltInType {
  /** With its namespace: `Applications.Core/containers`. */
  readonly name: string;
  readonly description: string;
  readonly defaultApiVersion?: string;
  readonly capabilities: readonly string[];
  /** The schema of `properties` by api-version; `{}` where anything goes. Built when it is first read. */
  readonly versions: Readonly<Record<string, JsonObject>>;
  /** Only for types that give their secrets out to those who may ask. */
  readonly listSecrets?: ListSecrets;
}

export interface TypeDefinition {
  readonly name: string;
  readonly description: string;
  readonly versions: Readonly<Record<string, () => JsonObject>>;
  readonly listSecrets?: ListSecrets;
}

/** Puts schemas off until somebody asks for them: most programs that know the types never look inside. */
export function defineType({ versions, ...type }: TypeDefinition): BuiltInType {
  const lazy: Record<string, JsonObject> = {};
  for (const [version, build] of Object.entries(versions)) {
    let schema: JsonObject | undefined;
    Object.defineProperty(lazy, version, { enumerable: true, get: () => (schema ??= build()) });
  }
  return { ...type, capabilities: [], versions: lazy };
}
