import type { JsonObject } from "@rad/core";
import { inGroup } from "../../testing/ids.ts";

const secretId = inGroup("Radius.Security/secrets/tokens");

export const fullBodies: readonly JsonObject[] = [
  {
    terraformrc: {
      providerInstallation: {
        networkMirror: { url: "https://mirror.example/providers", include: ["*"], exclude: ["hashicorp/azurerm"] },
        direct: { include: ["*/*/*"], exclude: ["hashicorp/azurerm"] },
      },
      credentials: { "app.example": { token: { secretId, key: "token" } }, "other.example": { secret: secretId } },
    },
    authentication: { git: { pat: { "git.example:8443": { secret: secretId } } } },
    backend: { type: "kubernetes", config: { secretSuffix: "prod", namespace: "radius-system" } },
    env: { TF_REGISTRY_CLIENT_TIMEOUT: "15" },
    logging: { level: "Trace" },
  },
  {},
];
