import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compile } from "./testing/compile.ts";
import type { CompileOptions, Json } from "./testing/compile.ts";

const child = "param text string = ''\nparam list array = []\n@secure()\nparam secret string = ''\n";

function moduleOf(source: string, options: CompileOptions = {}): Json {
  const { resources } = compile(source, { ...options, files: { "/child.bicep": child, ...options.files } });
  return Array.isArray(resources) ? resources.at(-1) : Object.values(resources).at(-1);
}

function parametersOf(params: string, prologue = ""): Json {
  const source = `param flag bool\n${prologue}\nmodule m 'child.bicep' = {\n  name: 'm'\n  params: {\n    ${params}\n  }\n}\n`;
  return moduleOf(source).properties.parameters;
}

describe("modules", () => {
  it("are nested deployments with their whole template", () => {
    const module = moduleOf(
      "@description('about')\nmodule m 'child.bicep' = [for i in range(0, 2): if (i > 0) {\n  name: 'm${i}'\n  params: {\n    text: 'a'\n  }\n}]\n",
    );
    assert.deepEqual(Object.keys(module), [
      "copy",
      "condition",
      "type",
      "apiVersion",
      "name",
      "properties",
      "metadata",
    ]);
    assert.equal(module.type, "Microsoft.Resources/deployments");
    assert.equal(module.apiVersion, "2025-04-01");
    assert.deepEqual(Object.keys(module.properties), ["expressionEvaluationOptions", "mode", "parameters", "template"]);
    assert.deepEqual(module.properties.expressionEvaluationOptions, { scope: "inner" });
    assert.equal(module.properties.mode, "Incremental");
    assert.equal(module.properties.template.parameters.text.defaultValue, "");
    assert.match(module.properties.template.metadata._generator.templateHash, /^\d+$/);
  });

  it("have parameters only when they are given some", () => {
    assert.equal("parameters" in moduleOf("module m 'child.bicep' = {\n  name: 'm'\n}\n").properties, false);
    assert.deepEqual(parametersOf(""), {});
  });

  it("are compiled with settings of their own", () => {
    const files = { "/child.bicep": "type t = string\nparam p t\n" };
    const template = compile("module m 'child.bicep' = {\n  name: 'm'\n  params: {\n    p: ''\n  }\n}\n", { files });
    assert.equal(template.languageVersion, undefined);
    assert.equal(template.resources[0].properties.template.languageVersion, "2.0");
  });

  it("may be JSON templates, which are taken over as they are", () => {
    const json =
      '{ "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "parameters": { "big": { "type": "int", "defaultValue": 9007199254740993 } }, "resources": [] }';
    const module = moduleOf("module m 'child.json' = {\n  name: 'm'\n}\n", { files: { "/child.json": json } });
    assert.equal(module.properties.template.contentVersion, "1.0.0.0");
    assert.deepEqual(Object.keys(module.properties.template), ["$schema", "contentVersion", "parameters", "resources"]);
  });

  it("get a name that is unique to the deployment when they have none", () => {
    const long = "m".repeat(60);
    const source = `module short 'child.bicep' = {}\nmodule ${long} 'child.bicep' = {}\nmodule loop${long} 'child.bicep' = [for i in range(0, 2): {}]\noutput n string = loop${long}[1].name\n`;
    const template = compile(source, { files: { "/child.bicep": child } });
    assert.equal(template.languageVersion, "2.0");
    assert.equal(template.resources.short.name, "[format('short-{0}', uniqueString('short', deployment().name))]");
    assert.equal(
      template.resources[long].name,
      `[format('${"m".repeat(50)}-{0}', uniqueString('${long}', deployment().name))]`,
    );
    const looped = (turn: string) =>
      `[format('loop${"m".repeat(42)}-{0}-{1}', ${turn}, uniqueString('loop${long}', deployment().name))]`;
    assert.equal(template.resources[`loop${long}`].name, looped("copyIndex()"));
    assert.equal(template.outputs.n.value, looped("1"));
  });

  it("say where they go, and where their record is kept outside of resource groups", () => {
    const files = {
      "/sub.bicep": "targetScope = 'subscription'\n",
      "/mg.bicep": "targetScope = 'managementGroup'\n",
      "/tenant.bicep": "targetScope = 'tenant'\n",
    };
    const scoped = (file: string, scope: string, target = "resourceGroup") =>
      moduleOf(`targetScope = '${target}'\nmodule m '${file}' = {\n  name: 'm'\n  scope: ${scope}\n}\n`, { files });
    assert.equal(scoped("child.bicep", "resourceGroup('g')").resourceGroup, "g");
    assert.equal(scoped("child.bicep", "resourceGroup('g')").location, undefined);
    assert.equal(scoped("sub.bicep", "subscription()").subscriptionId, "[subscription().subscriptionId]");
    assert.equal(scoped("sub.bicep", "subscription('s')").location, "[resourceGroup().location]");
    assert.equal(scoped("tenant.bicep", "tenant()").scope, "/");
    assert.equal(scoped("mg.bicep", "managementGroup('x')", "tenant").location, "[deployment().location]");
  });

  it("carry an identity before their name", () => {
    const module = moduleOf(
      "module m 'child.bicep' = {\n  name: 'm'\n  identity: {\n    type: 'UserAssigned'\n    userAssignedIdentities: {}\n  }\n}\n",
    );
    assert.deepEqual(Object.keys(module), ["type", "apiVersion", "identity", "name", "properties"]);
  });

  it("that are template specifications are referred to by id", () => {
    const reference = "ts:11111111-1111-1111-1111-111111111111/group/name:v1";
    const json =
      '{ "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [] }';
    const module = moduleOf(`module m '${reference}' = {\n  name: 'm'\n}\n`, {
      files: { "/cache/main.json": json },
      artifacts: { [reference]: "/cache/main.json" },
    });
    assert.deepEqual(module.properties.templateLink, {
      id: "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/group/providers/Microsoft.Resources/templateSpecs/name/versions/v1",
    });
    assert.equal("template" in module.properties, false);
  });
});

describe("arguments of modules", () => {
  const vault = "resource kv 'Microsoft.KeyVault/vaults@2019-09-01' existing = {\n  name: 'kv'\n}";
  const vaultId = "resourceId('Microsoft.KeyVault/vaults', 'kv')";

  it("are values", () => {
    assert.deepEqual(parametersOf("text: 'a'\nlist: [1]"), { text: { value: "a" }, list: { value: [1] } });
  });

  it("may be loops, whose turns are expressions even for objects", () => {
    assert.deepEqual(parametersOf("list: [for i in range(0, 2): { i: i }]").list, {
      copy: [
        {
          name: "value",
          count: "[length(range(0, 2))]",
          input: "[createObject('i', range(0, 2)[copyIndex('value')])]",
        },
      ],
    });
  });

  it("may be secrets of a vault", () => {
    assert.deepEqual(parametersOf("secret: kv.getSecret('name', 'version')", vault).secret, {
      reference: { keyVault: { id: `[${vaultId}]` }, secretName: "name", secretVersion: "version" },
    });
  });

  it("that choose between values choose between whole arguments", () => {
    assert.equal(
      parametersOf("secret: flag ? kv.getSecret('name') : (flag ? 'b' : 'c')", vault).secret,
      `[if(parameters('flag'), createObject('reference', createObject('keyVault', createObject('id', ${vaultId}), 'secretName', 'name')), if(parameters('flag'), createObject('value', 'b'), createObject('value', 'c')))]`,
    );
  });

  it("configure extensions, value by value or as a whole", () => {
    const files = { "/child.bicep": "extension kubernetes as k8s\n" };
    const source = (configuration: string) =>
      `param flag bool\nextension kubernetes with {\n  kubeConfig: ''\n  namespace: 'n'\n} as k8s\n${vault}\nmodule m 'child.bicep' = {\n  name: 'm'\n  extensionConfigs: {\n    k8s: ${configuration}\n  }\n}\n`;
    const configs = (configuration: string) =>
      moduleOf(source(configuration), {
        files,
        features: ["moduleExtensionConfigs"],
        tolerateErrors: true,
      }).properties.extensionConfigs;
    assert.deepEqual(configs("{ kubeConfig: kv.getSecret('x'), namespace: k8s.config.namespace }"), {
      k8s: {
        kubeConfig: { keyVaultReference: { keyVault: { id: `[${vaultId}]` }, secretName: "x" } },
        namespace: "[extensions('k8s').config.namespace]",
      },
    });
    assert.equal(
      configs("{ kubeConfig: flag ? 'x' : k8s.config.kubeConfig }").k8s.kubeConfig,
      "[if(parameters('flag'), createObject('value', 'x'), extensions('k8s').config.kubeConfig)]",
    );
    assert.deepEqual(configs("k8s.config"), { k8s: "[extensions('k8s').config]" });
  });
});
