import type { JsonObject } from "@rad/core";
import { DefinitionList } from "./definition-list.ts";
import { resourceMembers } from "./envelope.ts";
import type { EnvelopeParts } from "./envelope.ts";
import { SchemaTypes } from "./schema-types.ts";

/** A method of a resource, such as `listSecrets()`. Its schemas are of the same dialect as those of resources. */
export interface TypeFunction {
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  readonly output: JsonObject;
}

export interface FunctionParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface ResourceDefinition extends EnvelopeParts {
  readonly functions: Readonly<Record<string, TypeFunction>>;
}

/** The definitions of one version of a resource type, the `ResourceType` first. */
export function resourceDefinitions({ functions, ...parts }: ResourceDefinition): JsonObject[] {
  const { type, apiVersion } = parts;
  const list = new DefinitionList();
  const resource = list.reserve();
  const body = list.reserve();
  body.define({ $type: "ObjectType", name: type, properties: resourceMembers(list, parts) });
  resource.define({
    $type: "ResourceType",
    name: `${type}@${apiVersion}`,
    body: body.ref,
    readableScopes: 0,
    writableScopes: 0,
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, definition]) => [name, functionOf(list, name, definition)]),
    ),
  });
  return list.items;
}

function functionOf(list: DefinitionList, name: string, definition: TypeFunction): JsonObject {
  const parameters = definition.parameters.map(({ name: parameter, schema, description }) => ({
    name: parameter,
    type: new SchemaTypes(list, schema).typeOf(schema, parameter),
    description,
  }));
  const output = new SchemaTypes(list, definition.output).typeOf(definition.output, `${name}Result`);
  return {
    type: list.add({ $type: "FunctionType", parameters, output }),
    description: definition.description,
  };
}
