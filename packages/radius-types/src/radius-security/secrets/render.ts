import { ApiError, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { renderedInstead } from "../../rendering/environment-recipes.ts";
import { sortedMembers, textMember } from "../../rendering/members.ts";
import { subdomainName } from "../../rendering/names.ts";
import { radiusMetadata } from "../../rendering/radius-metadata.ts";
import type { RenderedResource, Renderer } from "../../rendering/renderer.ts";
import { secretData } from "../../rendering/secret-bytes.ts";
import { isOfThePlane } from "./require-environment.ts";

const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "certificate-pem": ["tls.crt", "tls.key"],
  basicAuthentication: ["username", "password"],
  azureWorkloadIdentity: ["clientId", "tenantId"],
  awsIRSA: ["roleARN"],
};

const secretTypes: Readonly<Record<string, string>> = {
  "certificate-pem": "kubernetes.io/tls",
  basicAuthentication: "kubernetes.io/basic-auth",
};

/** @throws ApiError for a key that the kind of the secrets needs. */
function checkSecretKeys(properties: JsonObject): void {
  const kind = kindOf(properties);
  const data = objectMember(properties, "data");
  const missing = (requiredKeys[kind] ?? []).find((key) => !Object.hasOwn(data, key));
  if (missing !== undefined) {
    throw new ApiError("BadRequest", `$.properties.data must contain '${missing}' key for ${kind} type.`, {
      target: "$.properties.data",
    });
  }
}

/** Secrets become a Secret of their name. */
export const secretsRenderer: Renderer = {
  validate: ({ properties }) => checkSecretKeys(properties),
  dependencies: () => [],
  isOnlyStored: isOfThePlane,
  render(resource, context) {
    const { id, properties } = resource;
    renderedInstead(context.environment, id.type, properties);
    checkSecretKeys(properties);
    const name = subdomainName(id.name, "The secret name");
    return {
      parts: [
        {
          platform: "kubernetes",
          localId: "Secret",
          object: {
            apiVersion: "v1",
            kind: "Secret",
            metadata: radiusMetadata(resource, context, name),
            type: secretTypes[kindOf(properties)] ?? "Opaque",
            data: dataOf(resource),
          },
        },
      ],
    };
  },
};

function kindOf(properties: JsonObject): string {
  return textMember(properties, "kind") ?? textMember(properties, "type") ?? "generic";
}

function dataOf({ properties, secrets }: RenderedResource): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [key, entry] of sortedMembers(objectMember(properties, "data"))) {
    const sealed = secrets[`/properties/data/${key.replaceAll("~", "~0").replaceAll("/", "~1")}/value`];
    const value = typeof sealed === "string" ? sealed : "";
    data[key] = secretData(value, textMember(entry, "encoding") ?? "string", `$.properties.data.${key}`);
  }
  return data;
}
