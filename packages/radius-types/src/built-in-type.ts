import type { JsonObject } from "@rad/core";

/** A resource type that every installation has, described like the types that manifests add. */
export interface BuiltInType {
  /** With its namespace: `Applications.Core/containers`. */
  readonly name: string;
  readonly description: string;
  readonly defaultApiVersion?: string;
  readonly capabilities: readonly string[];
  /** The schema of `properties` by api-version; `{}` where anything goes. Built when it is first read. */
  readonly versions: Readonly<Record<string, JsonObject>>;
}

export interface TypeDefinition {
  readonly name: string;
  readonly description: string;
  readonly versions: Readonly<Record<string, () => JsonObject>>;
}

/** Puts schemas off until somebody asks for them: most programs that know the types never look inside. */
export function defineType({ name, description, versions }: TypeDefinition): BuiltInType {
  const lazy: Record<string, JsonObject> = {};
  for (const [version, build] of Object.entries(versions)) {
    let schema: JsonObject | undefined;
    Object.defineProperty(lazy, version, { enumerable: true, get: () => (schema ??= build()) });
  }
  return { name, description, capabilities: [], versions: lazy };
}
