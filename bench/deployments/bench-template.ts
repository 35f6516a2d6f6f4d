import type { JsonObject } from "@rad/core";

/** `copy`: one resource in a loop, as Bicep emits it. `literal`: as many resources, each written out. */
export type TemplateForm = "copy" | "literal";

/** Small enough that the longest literal template stays below the limit of four million characters. */
export const body: JsonObject = {
  location: "global",
  properties: {
    environment: "/planes/radius/local/resourceGroups/bench/providers/Radius.Core/environments/bench",
    image: "registry.example.com/team/service:1.2.3",
    replicas: 3,
    variables: Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`SETTING_${i}`, `value number ${i}`])),
  },
};

/** A template of `count` resources named `item-0`, `item-1` … with the body above. */
export function benchTemplate(form: TemplateForm, type: string, apiVersion: string, count: number): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.0",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources: form === "copy" ? loop() : literals(),
  };

  function loop(): JsonObject {
    return { items: { copy: { name: "items", count }, ...resource("[format('item-{0}', copyIndex())]") } };
  }

  function literals(): JsonObject {
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`item${i}`, resource(`item-${i}`)]));
  }

  function resource(name: string): JsonObject {
    return { import: "radius", type: `${type}@${apiVersion}`, properties: { name, ...body } };
  }
}
