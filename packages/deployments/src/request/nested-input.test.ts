import assert from "node:assert/strict";
import { it } from "node:test";
import type { DeployRequest } from "@rad/templates";
import { readNestedInput } from "./nested-input.ts";

const request: DeployRequest = {
  kind: "deploy",
  id: "/d",
  name: "mod",
  location: undefined,
  tags: undefined,
  template: { resources: {} },
  templateLink: undefined,
  parameters: { p: { value: 1 } },
  parametersLink: undefined,
  mode: "Incremental",
  extensionConfigs: undefined,
  scopes: { radius: "/r", deployments: "/d" },
};
const parent = { providerConfig: { radius: {} }, debugSetting: undefined };
const rules = { linkHosts: [] };

it("takes the provider configuration over from the parent", async () => {
  const input = await readNestedInput(request, parent, rules);

  assert.deepEqual(input.providerConfig, { radius: {} });
  assert.deepEqual([input.name, input.template, input.parameters], ["mod", request.template, request.parameters]);
});

it("refuses other modes, missing templates and links to anywhere", async () => {
  const read = (more: Partial<DeployRequest>) => readNestedInput({ ...request, ...more }, parent, rules);
  const link = { uri: "https://example.com/t.json" };

  await assert.rejects(read({ mode: "Complete" }), { code: "InvalidDeployment" });
  await assert.rejects(read({ template: undefined }), { code: "InvalidDeployment" });
  await assert.rejects(read({ template: undefined, templateLink: link }), { code: "InvalidContentLink" });
  await assert.rejects(read({ parametersLink: link }), { code: "InvalidContentLink" });
});
