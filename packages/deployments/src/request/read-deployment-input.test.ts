import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId, type JsonObject, type JsonValue } from "@rad/core";
import { readDeploymentInput } from "./read-deployment-input.ts";

const group = "/planes/radius/local/resourceGroups/team";
const template = { $schema: "s", contentVersion: "1.0.0.0", resources: {} };

function read(body: JsonValue | undefined, name = "main") {
  const id = ResourceId.parse(`${group}/providers/Microsoft.Resources/deployments/${name}`);
  return readDeploymentInput({ id, body }, { linkHosts: [] });
}

const withProperties = (properties: JsonObject): JsonObject => ({ properties: { template, ...properties } });

const scope = (text: JsonValue): JsonObject => ({ value: { scope: text } });

it("reads a request as upstream's client sends it", async () => {
  const providerconfig = {
    radius: { type: "Radius", value: { scope: `${group}/` } },
    deployments: { type: "Microsoft.Resources", value: { scope: "/planes/radius/local/resourceGroups/Other" } },
    az: { type: "AzureResourceManager", value: { scope: "/subscriptions/s1/resourceGroups/g1" } },
    aws: { type: "AWS", value: { scope: "/planes/aws/aws/accounts/1/regions/eu" } },
  };
  const body = {
    tags: null,
    properties: { mode: "Incremental", template, parameters: { a: { value: null } }, providerconfig },
  };

  assert.deepEqual(await read(body), {
    name: "main",
    location: undefined,
    tags: undefined,
    template,
    parameters: { a: { value: null } },
    scopes: {
      radius: group,
      deployments: "/planes/radius/local/resourceGroups/Other",
      az: "/subscriptions/s1/resourceGroups/g1",
      aws: "/planes/aws/aws/accounts/1/regions/eu",
    },
    providerConfig: providerconfig,
    extensionConfigs: undefined,
    externalInputs: undefined,
    debugSetting: undefined,
  });
});

it("takes the request's own scope for what the provider configuration leaves out", async () => {
  const own = { radius: group, deployments: group };

  assert.deepEqual((await read(withProperties({}))).scopes, own);
  assert.deepEqual((await read(withProperties({ providerConfig: { radius: null } }))).scopes, own);
});

it("refuses members in two spellings", async () => {
  const twice = [
    { properties: { template }, Properties: { template } },
    withProperties({ Template: template }),
    withProperties({ mode: null, MODE: "Incremental" }),
  ];

  for (const body of twice) {
    await assert.rejects(read(body), { code: "InvalidRequestContent" });
  }
});

it("takes a name with a period at its end, as modules do", async () => {
  assert.equal((await read(withProperties({}), "v1.0.")).name, "v1.0.");
});

it("finds members in any letter case", async () => {
  const az = scope("/subscriptions/s1");

  const input = await read({ Properties: { TEMPLATE: template, ProviderConfig: { AZ: az }, Parameters: {} } });

  assert.equal(input.scopes.az, "/subscriptions/s1");
  assert.deepEqual(input.providerConfig, { AZ: az });
});

it("reads what a parameters file brings along", async () => {
  const input = await read({
    location: "global",
    tags: { team: "a" },
    properties: {
      template: `{ "contentVersion": "1.0.0.0", "resources": {}, } // as text`,
      parameters: {
        a: { value: [1] },
        b: { reference: { keyVault: { id: "/v" }, secretName: "s" } },
        c: { expression: "[externalInputs('k')]" },
      },
      externalInputs: { k: { value: "v" } },
      extensionConfigs: { k8s: { namespace: { value: "default" } } },
      debugSetting: { detailLevel: "requestContent, responseContent" },
    },
  });

  assert.deepEqual(input.template, { contentVersion: "1.0.0.0", resources: {} });
  assert.deepEqual(input.parameters, {
    a: { value: [1] },
    b: { reference: { keyVault: { id: "/v" }, secretName: "s" } },
    c: { expression: "[externalInputs('k')]" },
  });
  assert.deepEqual(input.externalInputs, { k: "v" });
  assert.deepEqual(input.extensionConfigs, { k8s: { namespace: { value: "default" } } });
  assert.deepEqual([input.location, input.tags], ["global", { team: "a" }]);
});

const refused: readonly (readonly [what: string, body: JsonValue | undefined, code: string, target: string])[] = [
  ["no body", undefined, "InvalidRequestContent", "body"],
  ["an array", [], "InvalidRequestContent", "body"],
  ["no properties", {}, "InvalidRequestContent", "properties"],
  ["neither template nor link", { properties: {} }, "InvalidDeployment", "properties"],
  ["both", withProperties({ templateLink: { uri: "https://a" } }), "InvalidDeployment", "properties"],
  ["a template that is a number", { properties: { template: 1 } }, "InvalidRequestContent", "properties.template"],
  ["a template that is broken text", { properties: { template: "{" } }, "InvalidTemplate", "properties.template"],
  ["a template that is other text", { properties: { template: "[]" } }, "InvalidRequestContent", "properties.template"],
  ["another mode", withProperties({ mode: "Complete" }), "InvalidDeployment", "properties.mode"],
  ["a mode that is no text", withProperties({ mode: 1 }), "InvalidRequestContent", "properties.mode"],
  [
    "a deployment on error",
    withProperties({ onErrorDeployment: { type: "LastSuccessful" } }),
    "InvalidDeployment",
    "properties.onErrorDeployment",
  ],
  ["parameters in an array", withProperties({ parameters: [] }), "InvalidRequestContent", "properties.parameters"],
  ["a bare value", withProperties({ parameters: { a: "x" } }), "InvalidRequestContent", "properties.parameters.a"],
  ["an empty one", withProperties({ parameters: { a: {} } }), "InvalidRequestContent", "properties.parameters.a"],
  [
    "a parameter of two kinds",
    withProperties({ parameters: { a: { value: 1, expression: "x" } } }),
    "InvalidRequestContent",
    "properties.parameters.a",
  ],
  [
    "an expression that is no text",
    withProperties({ parameters: { a: { expression: 1 } } }),
    "InvalidRequestContent",
    "properties.parameters.a.expression",
  ],
  [
    "parameters twice",
    withProperties({ parameters: { a: { value: 1 } }, parametersLink: { uri: "https://a" } }),
    "InvalidDeployment",
    "properties",
  ],
  [
    "a link to anywhere",
    { properties: { templateLink: { uri: "https://example.com/t.json" } } },
    "InvalidContentLink",
    "properties.templateLink",
  ],
  ["tags that are no texts", { tags: { a: 1 }, properties: { template } }, "InvalidRequestContent", "body.tags.a"],
  ["a location that is no text", { location: {}, properties: { template } }, "InvalidRequestContent", "body.location"],
  [
    "an external input without a value",
    withProperties({ externalInputs: { k: {} } }),
    "InvalidRequestContent",
    "properties.externalInputs.k.value",
  ],
  [
    "a bare configuration",
    withProperties({ extensionConfigs: { k8s: { namespace: "x" } } }),
    "InvalidRequestContent",
    "properties.extensionConfigs.k8s.namespace",
  ],
  [
    "an unknown level of detail",
    withProperties({ debugSetting: { detailLevel: "everything" } }),
    "InvalidDeployment",
    "properties.debugSetting.detailLevel",
  ],
  [
    "a provider that is no object",
    withProperties({ providerConfig: { radius: group } }),
    "InvalidRequestContent",
    "properties.providerconfig.radius",
  ],
  [
    "another plane",
    withProperties({ providerConfig: { radius: scope("/planes/radius/remote/resourceGroups/a") } }),
    "InvalidDeployment",
    "properties.providerconfig.radius.value.scope",
  ],
  [
    "a resource for a scope",
    withProperties({ providerConfig: { deployments: scope(`${group}/providers/A.B/c/d`) } }),
    "InvalidDeployment",
    "properties.providerconfig.deployments.value.scope",
  ],
  [
    "a plane for a scope",
    withProperties({ providerConfig: { radius: scope("/planes/radius/local") } }),
    "InvalidDeployment",
    "properties.providerconfig.radius.value.scope",
  ],
  [
    "a broken id",
    withProperties({ providerConfig: { az: scope("subscriptions/s1") } }),
    "InvalidDeployment",
    "properties.providerconfig.az.value.scope",
  ],
  [
    "an account without a region",
    withProperties({ providerConfig: { aws: scope("/planes/aws/aws/accounts/1") } }),
    "InvalidDeployment",
    "properties.providerconfig.aws.value.scope",
  ],
];

for (const [what, body, code, target] of refused) {
  it(`refuses ${what} and names ${target}`, async () => {
    await assert.rejects(read(body), { code, target });
  });
}

it("refuses names that no deployment can have", async () => {
  await assert.rejects(read(withProperties({}), "a".repeat(65)), { code: "InvalidDeployment" });
  await assert.rejects(read(withProperties({}), "a b"), { code: "InvalidDeployment" });
});
