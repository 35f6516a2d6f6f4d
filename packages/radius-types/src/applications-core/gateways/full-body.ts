import type { JsonObject } from "@rad/core";
import { applicationId, environmentId, inGroup } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    internal: false,
    hostname: { prefix: "shop", fullyQualifiedHostname: "shop.example" },
    routes: [
      {
        path: "/",
        destination: "http://web:3000",
        replacePrefix: "/api",
        enableWebsockets: true,
        timeoutPolicy: { request: "1m30s", backendRequest: "15s" },
      },
    ],
    tls: {
      sslPassthrough: false,
      minimumProtocolVersion: "1.3",
      certificateFrom: inGroup("Applications.Core/secretStores/cert"),
    },
  },
];
