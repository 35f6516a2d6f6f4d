import type { JsonObject } from "@rad/core";
import { applicationId, environmentId } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    kind: "azure.com.keyvault",
    application: applicationId,
    environment: environmentId,
    resource: "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v",
    certificates: {
      web: { name: "web", alias: "w", version: "1", encoding: "hex", format: "pfx", certType: "publickey" },
    },
    keys: { k: { name: "k", alias: "k1", version: "1" } },
    secrets: { s: { name: "s", alias: "s1", version: "1", encoding: "base64" } },
  },
];
