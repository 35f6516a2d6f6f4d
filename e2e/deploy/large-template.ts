import type { JsonObject, JsonValue } from "@rad/core";
import { steeredType } from "../support/handlers.ts";

export const teams = 5;
const thingsPerTeam = 12;
const thingsPerService = 10;
const environments = 20;
const independent = 60;
const chained = 10;

/** How many resources the template makes, deployments not counted. */
export const largeCount = environments + independent + chained + teams * (thingsPerTeam + thingsPerService);

/**
 * Two hundred resources as Bicep would emit them: synchronous and asynchronous types, loops, a chain, modules in
 * modules, secrets that travel down as parameters and up as outputs, and an id that must be made up only once.
 * Parameters: `secret`, and `journal`, the file in which handlers note what they do.
 */
export function largeTemplate(): JsonObject {
  return template(
    {
      secret: { type: "securestring" },
      journal: { type: "string" },
      id: { type: "string", defaultValue: "[newGuid()]" },
      at: { type: "string", defaultValue: "[utcNow()]" },
    },
    {
      environments: {
        copy: { name: "environments", count: environments },
        import: "radius",
        type: "Radius.Core/environments@2025-08-01-preview",
        properties: {
          name: "[format('env-{0}', copyIndex())]",
          location: "global",
          properties: { note: "[format('{0} at {1}', parameters('id'), parameters('at'))]" },
        },
      },
      independent: {
        copy: { name: "independent", count: independent },
        ...thing("[format('independent-{0}', copyIndex())]", {
          version: "[copyIndex()]",
          password: "[format('{0}-{1}', parameters('secret'), copyIndex())]",
          id: "[parameters('id')]",
        }),
      },
      ...chain(),
      team: {
        copy: { name: "team", count: teams },
        ...module("[format('team-{0}', copyIndex())]", teamTemplate(), {
          secret: { value: "[parameters('secret')]" },
          journal: { value: "[parameters('journal')]" },
          index: { value: "[copyIndex()]" },
          id: { value: "[parameters('id')]" },
          after: { value: "[reference('chain-9').properties.version]" },
        }),
        dependsOn: ["chain-9"],
      },
    },
    {
      id: { type: "string", value: "[parameters('id')]" },
      versions: { type: "array", copy: { count: teams, input: outputOf("team[{0}]", "version") } },
      secret: { type: "securestring", value: "[listOutputsWithSecureValues('team[0]', '2025-04-01').secret]" },
      environments: {
        type: "array",
        copy: { count: environments, input: "[reference(format('environments[{0}]', copyIndex())).id]" },
      },
    },
  );
}

function teamTemplate(): JsonObject {
  return template(
    { ...moduleParameters, after: { type: "int" } },
    {
      things: {
        copy: { name: "things", count: thingsPerTeam },
        ...thing("[format('team-{0}-{1}', parameters('index'), copyIndex())]", {
          version: "[add(parameters('after'), copyIndex())]",
          password: "[parameters('secret')]",
          id: "[parameters('id')]",
        }),
      },
      service: {
        ...module("[format('service-{0}', parameters('index'))]", serviceTemplate(), {
          secret: { value: "[format('{0}-of-team', parameters('secret'))]" },
          journal: { value: "[parameters('journal')]" },
          index: { value: "[parameters('index')]" },
          id: { value: "[parameters('id')]" },
        }),
        dependsOn: ["things"],
      },
    },
    {
      version: { type: "int", value: "[reference('service').outputs.version.value]" },
      secret: { type: "securestring", value: "[listOutputsWithSecureValues('service', '2025-04-01').secret]" },
    },
  );
}

function serviceTemplate(): JsonObject {
  return template(
    { ...moduleParameters, own: { type: "string", defaultValue: "[newGuid()]" } },
    {
      parts: {
        copy: { name: "parts", count: thingsPerService, mode: "serial", batchSize: 4 },
        ...thing("[format('service-{0}-{1}', parameters('index'), copyIndex())]", {
          version: "[copyIndex()]",
          password: "[parameters('secret')]",
          id: "[format('{0} {1}', parameters('id'), parameters('own'))]",
        }),
      },
    },
    {
      version: {
        type: "int",
        value: `[reference('parts[${thingsPerService - 1}]').properties.version]`,
      },
      secret: { type: "securestring", value: "[format('{0}-from-service', parameters('secret'))]" },
    },
  );
}

const moduleParameters = {
  secret: { type: "securestring" },
  journal: { type: "string" },
  index: { type: "int" },
  id: { type: "string" },
};

/** Each of them needs the one before. */
function chain(): JsonObject {
  const links: JsonObject = {};
  for (let index = 0; index < chained; index += 1) {
    const version = index === 0 ? 1 : `[add(reference('chain-${index - 1}').properties.version, 1)]`;
    links[`chain-${index}`] = {
      ...thing(`chain-${index}`, { version }),
      ...(index === 0 ? {} : { dependsOn: [`chain-${index - 1}`] }),
    };
  }
  return links;
}

function thing(name: string, properties: JsonObject): JsonObject {
  return {
    import: "radius",
    type: `${steeredType}@2025-01-01`,
    properties: { name, properties: { ...properties, workMs: 100, journal: "[parameters('journal')]" } },
  };
}

function module(name: string, nested: JsonObject, parameters: JsonObject): JsonObject {
  return {
    type: "Microsoft.Resources/deployments",
    apiVersion: "2025-04-01",
    name,
    properties: {
      expressionEvaluationOptions: { scope: "inner" },
      mode: "Incremental",
      parameters,
      template: nested,
    },
  };
}

function outputOf(nameFormat: string, output: string): JsonValue {
  return `[reference(format('${nameFormat}', copyIndex())).outputs.${output}.value]`;
}

function template(parameters: JsonObject, resources: JsonObject, outputs: JsonObject): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    parameters,
    resources,
    outputs,
  };
}
