import type { JsonObject } from "@rad/core";
import type { Secrets } from "@rad/resource-types";
import type { ResourceHandler, TypeModule } from "@rad/resources";
import { forVersions } from "./for-versions.ts";

/** A resource type that every installation has. */
export interface BuiltInType extends TypeModule {
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly versions: Readonly<Record<string, JsonObject>>;
}

export interface TypeDefinition extends Omit<BuiltInType, "capabilities" | "versions"> {
  readonly versions: Readonly<Record<string, () => JsonObject>>;
}

/** Puts schemas off until somebody asks for them: most programs that know the types never look inside. */
export function defineType({ versions, handler, ...type }: TypeDefinition): BuiltInType {
  const lazy: Record<string, JsonObject> = {};
  for (const [version, build] of Object.entries(versions)) {
    let schema: JsonObject | undefined;
    Object.defineProperty(lazy, version, { enumerable: true, get: () => (schema ??= build()) });
  }
  return {
    ...type,
    capabilities: [],
    versions: lazy,
    ...(handler === undefined ? {} : { handler: forVersions(lazy, handler) }),
  };
}

/** What `POST {resource}/listSecrets` answers, from the stored properties and the sealed values by JSON pointer. */
export type ListSecrets = (properties: JsonObject, secrets: Readonly<Secrets>) => JsonObject;

/** The code behind a type that gives its secrets out to those who may ask for them. */
export function givingOutSecrets(listSecrets: ListSecrets): ResourceHandler {
  return { actions: { listSecrets: async ({ properties, secrets }) => listSecrets(properties, await secrets()) } };
}
