import type { JsonObject, JsonValue } from "@rad/core";
import type { Envelope } from "./envelope.ts";
import { resourceDefinitions } from "./resource-definitions.ts";
import type { TypeFunction } from "./resource-definitions.ts";

/** A resource type with the schema of `properties` in each API version. */
export interface PackageType {
  /** `Applications.Core/containers`. */
  readonly name: string;
  readonly versions: Readonly<Record<string, JsonObject>>;
  /** `plain` when absent. */
  readonly envelope?: Envelope;
  readonly functions?: Readonly<Record<string, TypeFunction>>;
}

export interface PackageSettings {
  /** What templates call the extension's provider. */
  readonly name: string;
  readonly version: string;
}

/** A Bicep type package whose files are made when they are first read. */
export interface TypePackage {
  /** All its files, `index.json` first. */
  readonly paths: readonly string[];
  /** The content of a file, made once; nothing when the package has no such file. */
  readonly document: (path: string) => JsonValue | undefined;
}

/**
 * The Bicep type package of resource types. Each version of a type has a file of its own, so a compilation pays for the
 * types that it uses. @throws SchemaError from `document`, for a schema with a broken `$ref` or a mistyped keyword
 */
export function createTypePackage(types: readonly PackageType[], settings: PackageSettings): TypePackage {
  const resources: Record<string, JsonObject> = {};
  const files = new Map<string, () => JsonValue>();
  for (const type of types) {
    for (const apiVersion of Object.keys(type.versions)) {
      const path = `${type.name.toLowerCase()}/${apiVersion}/types.json`;
      resources[`${type.name}@${apiVersion}`] = { $ref: `${path}#/0` };
      files.set(path, () => {
        // Read only now: a version may be a getter that loads its schema.
        const schema = type.versions[apiVersion] ?? {};
        const { name, envelope = "plain", functions = {} } = type;
        return resourceDefinitions({ type: name, apiVersion, schema, envelope, functions });
      });
    }
  }
  const { name, version } = settings;
  const index = { resources, resourceFunctions: {}, settings: { name, version, isSingleton: false } };
  const made = new Map<string, JsonValue>([["index.json", index]]);
  return {
    paths: ["index.json", ...files.keys()],
    document: (path) => {
      const known = made.get(path);
      const make = files.get(path);
      if (known !== undefined || make === undefined) {
        return known;
      }
      const document = make();
      made.set(path, document);
      return document;
    },
  };
}
