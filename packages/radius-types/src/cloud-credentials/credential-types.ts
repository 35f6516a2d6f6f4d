import type { JsonObject } from "@rad/core";
import { asResource } from "../shapes/resource-schema.ts";
import { choice, object, sensitive, text, variants } from "../shapes/schema-parts.ts";

/** Credentials live in the planes of their cloud: `/planes/aws/aws/providers/System.AWS/credentials/default`. */
export interface CredentialType {
  readonly name: string;
  /** Of `properties`. */
  readonly schema: JsonObject;
}

const storage = object(
  "Where the values are kept.",
  { kind: choice("Always `Internal`: sealed, beside the resource.", ["Internal"]) },
  ["kind"],
);

export const awsCredentials: CredentialType = {
  name: "System.AWS/credentials",
  schema: asResource(
    variants({
      description: "How recipes log in to AWS.",
      by: "kind",
      byDescription: "The kind of the credential.",
      common: { storage },
      required: ["storage"],
      variants: {
        AccessKey: {
          description: "An access key of an IAM user.",
          properties: {
            accessKeyId: text("The id of the access key.", { minLength: 1 }),
            secretAccessKey: sensitive(text("The secret access key.", { minLength: 1 })),
          },
          required: ["accessKeyId", "secretAccessKey"],
        },
        IRSA: {
          description: "An IAM role for the service account of the control plane.",
          properties: { roleARN: text("The ARN of the role.", { minLength: 1 }) },
          required: ["roleARN"],
        },
      },
    }),
  ),
};

const identity = {
  tenantId: text("The id of the Microsoft Entra tenant.", { minLength: 1 }),
  clientId: text("The client id of the application.", { minLength: 1 }),
};

export const azureCredentials: CredentialType = {
  name: "System.Azure/credentials",
  schema: asResource(
    variants({
      description: "How recipes log in to Azure.",
      by: "kind",
      byDescription: "The kind of the credential.",
      common: { storage },
      required: ["storage"],
      variants: {
        ServicePrincipal: {
          description: "A service principal with a secret.",
          properties: {
            ...identity,
            clientSecret: sensitive(text("The secret of the service principal.", { minLength: 1 })),
          },
          required: ["tenantId", "clientId", "clientSecret"],
        },
        WorkloadIdentity: {
          description: "A workload identity of the control plane.",
          properties: identity,
          required: ["tenantId", "clientId"],
        },
      },
    }),
  ),
};
