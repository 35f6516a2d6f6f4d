import { createClient, registerManifest } from "@rad/client";
import type { JsonObject } from "@rad/core";
import type { Server } from "../support/api.ts";

export const heavyVersion = "2025-01-01";

/** Types whose schemas make much of little. */
const schemas: Readonly<Record<string, JsonObject>> = {
  open: { type: "object", properties: { x: {} } },
  closed: { type: "object", properties: { name: { type: "string" } } },
  maps: { type: "object", properties: { x: { type: "object", additionalProperties: { type: "string" } } } },
  secrets: {
    type: "object",
    properties: {
      x: { type: "object", additionalProperties: { type: "string", "x-radius-sensitive": true } },
    },
  },
  lists: {
    type: "object",
    properties: {
      unique: { type: "array", uniqueItems: true, items: { type: "object", additionalProperties: { type: "string" } } },
      chosen: { type: "array", items: { type: "string", enum: Array.from({ length: 500 }, (_, i) => `choice-${i}`) } },
      matched: { type: "array", items: { type: "string", pattern: "^(a|b|ab|ba)*c{1,500}$" } },
      text: { type: "string", pattern: "(x+x+)+y" },
      numbers: { type: "array", items: { type: "number", multipleOf: 0.1, minimum: 0 } },
    },
  },
};

export function collection(type: string): string {
  return `/planes/radius/local/resourcegroups/heavy/providers/Radius.Heavy/${type}`;
}

export async function registerHeavyTypes(server: Server): Promise<void> {
  const client = createClient({ endpoint: server.url, token: server.token });
  await client.groups.put("heavy");
  await registerManifest(client, {
    namespace: "Radius.Heavy",
    location: { name: "global" },
    types: Object.entries(schemas).map(([name, schema]) => ({
      name,
      capabilities: [],
      apiVersions: [{ name: heavyVersion, schema }],
    })),
  });
}
