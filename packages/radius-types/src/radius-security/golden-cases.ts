import type { JsonObject } from "@rad/core";
import type { GoldenCase, GoldenType } from "../testing/golden-type.ts";
import { environmentId, inGroup } from "../testing/ids.ts";
import { fullBodies } from "./secrets/full-body.ts";
import { secretsRenderer } from "./secrets/render.ts";
import { secrets } from "./secrets/schema.ts";

const kinds: readonly (readonly [kind: string, keys: readonly string[]])[] = [
  ["certificate-pem", ["tls.key", "tls.crt"]],
  ["certificate-pkcs12", ["bundle.pfx"]],
  ["basicAuthentication", ["username", "password"]],
  ["awsIRSA", ["roleARN"]],
  ["azureWorkloadIdentity", ["clientId", "tenantId"]],
];

export const securityGoldens: readonly GoldenType[] = [
  {
    type: secrets,
    renderer: secretsRenderer,
    folder: new URL("secrets/goldens/", import.meta.url),
    cases: [
      ...fullBodies.map((properties) => sealed("every property", properties)),
      ...kinds.map(([kind, keys]) =>
        sealed(kind, {
          environment: environmentId,
          kind,
          data: Object.fromEntries(keys.map((key) => [key, { value: "aHVzaA==", encoding: "base64" }])),
        }),
      ),
      {
        ...sealed("the other name of kind, in an environment of Radius.Core", {
          environment: inGroup("Radius.Core/environments/env"),
          type: "basicAuthentication",
          data: { username: { value: "ann" }, password: { value: "grüße" } },
        }),
        resourceName: "Login",
        environmentId: inGroup("Radius.Core/environments/env"),
        environment: { providers: { kubernetes: { namespace: "apps" } } },
        application: null,
      },
    ],
  },
];

/** With the sealed values where the schema has them. */
function sealed(name: string, properties: JsonObject): GoldenCase {
  const data = Object.entries(properties["data"] ?? {}) as [string, { value: string }][];
  return {
    name,
    properties,
    secrets: Object.fromEntries(data.map(([key, { value }]) => [`/properties/data/${key}/value`, value])),
  };
}
