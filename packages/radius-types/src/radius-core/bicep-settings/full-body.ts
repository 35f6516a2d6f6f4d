import type { JsonObject } from "@rad/core";
import { inGroup } from "../../testing/ids.ts";

const secretId = inGroup("Radius.Security/secrets/registry");

export const fullBodies: readonly JsonObject[] = [
  {
    authentication: {
      registries: {
        "basic.example": { basic: { username: "ann", password: { secretId, key: "password" } } },
        "azure.example": { azureWorkloadIdentity: { clientId: "c", tenantId: "t" } },
        "aws.example": { awsIrsa: { roleArn: "arn:aws:iam::1:role/r" } },
      },
    },
    registryAuthentications: {
      "flat-basic.example": { authenticationMethod: "BasicAuth", basicAuthSecretId: secretId },
      "flat-azure.example": { authenticationMethod: "AzureWI", azureWiClientId: "c", azureWiTenantId: "t" },
      "flat-aws.example:8443": { authenticationMethod: "AwsIrsa", awsIamRoleArn: "arn:aws:iam::1:role/r" },
    },
  },
];
