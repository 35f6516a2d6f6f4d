import assert from "node:assert/strict";
import { it } from "node:test";
import { ResourceId } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { applicationId } from "../../testing/ids.ts";
import { volumeRenderer } from "./render.ts";

const volume = {
  kind: "azure.com.keyvault",
  application: applicationId,
  resource: "/planes/azure/azurecloud/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv",
};

function validate(properties: JsonObject): void {
  volumeRenderer.validate?.({ id: ResourceId.parse(applicationId), properties, current: undefined });
}

it("accepts a Key Vault, by either form of its id", () => {
  validate(volume);
  validate({ ...volume, resource: volume.resource.slice("/planes/azure/azurecloud".length) });
});

for (const [what, properties, target] of [
  ["another kind", { ...volume, kind: "nfs" }, "$.properties.kind"],
  ["no id", { ...volume, resource: "kv" }, "$.properties.resource"],
  ["an id of another type", { ...volume, resource: applicationId }, "$.properties.resource"],
] as const) {
  it(`refuses ${what}`, () => {
    assert.throws(() => validate(properties), { code: "BadRequest", target });
    const id = ResourceId.parse(applicationId);
    assert.throws(() => volumeRenderer.render({ id, properties, secrets: {} }, undefined as never), { target });
  });
}

it("says what to install for a cluster without the CSI driver", () => {
  const [needed] = volumeRenderer.needs ?? [];
  assert.match(needed?.advice ?? "", /Secrets Store CSI driver/);
});
